package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// lookAgain is how often a submission that says nothing is looked up in the store. News come at
// once by the queue; this is for news that were lost on the way, with a machine for example.
const lookAgain = 15 * time.Second

// A follower tells what becomes of one submission. It must be closed.
type follower struct {
	server  *Server
	id      string
	watch   Watch
	events  <-chan jobs.Event // the watch's; nil once the queue has closed
	arrived *jobs.Event       // by the watch, and not given out yet
	seen    int64             // the newest event that was given out
	looked  bool
}

// follow tells of a submission what is newer than the event after. It watches before it looks
// into the store, so that nothing falls between the two.
func (s *Server) follow(id string, after int64) *follower {
	watch := s.watch(id)
	return &follower{server: s, id: id, watch: watch, events: watch.C(), seen: after}
}

func (f *follower) close() { f.watch.Close() }

// next waits for what is newer than the event before. The event of a judged submission is the
// last, and is given whatever was seen before. The error is that of ctx or of the store.
func (f *follower) next(ctx context.Context) (jobs.Event, error) {
	for {
		if err := f.wait(ctx); err != nil {
			return jobs.Event{}, err
		}
		if e, news, err := f.take(ctx); news || err != nil {
			return e, err
		}
	}
}

// wait waits until take may have something to give. Nothing is read from the store meanwhile, so
// that whoever has to wait for something else as well holds little until then.
func (f *follower) wait(ctx context.Context) error {
	if !f.looked {
		return nil
	}
	again := time.NewTimer(lookAgain)
	defer again.Stop()
	for {
		select {
		case e, open := <-f.events:
			if open {
				f.arrived = &e
				return nil
			}
			f.events = nil // the store still has the end of the story
		case <-again.C:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("wait for news: %w", ctx.Err())
		}
	}
}

// take gives what wait has waited for, and says whether it is news.
func (f *follower) take(ctx context.Context) (jobs.Event, bool, error) {
	if e := f.arrived; e != nil {
		f.arrived = nil
		news := e.Seq > f.seen
		f.seen = max(f.seen, e.Seq)
		return *e, news, nil
	}
	f.looked = true
	return f.look(ctx)
}

// look asks the store and the queue for the present state, and says whether it is news.
func (f *follower) look(ctx context.Context) (jobs.Event, bool, error) {
	sub, err := f.server.store.Submission(ctx, f.id)
	if err != nil {
		return jobs.Event{}, false, fmt.Errorf("look up a submission: %w", err)
	}
	e, err := f.server.present(sub)
	if err != nil || !e.Final() && e.Seq <= f.seen {
		return e, false, err
	}
	f.seen = e.Seq
	return e, true, nil
}

// present is the state of a submission as far as it is known: its verdict, or what the queue
// knows, or that it waits.
func (s *Server) present(sub store.Submission) (jobs.Event, error) {
	if !sub.Judged() {
		if e, ok := s.queue.Latest(sub.ID); ok {
			return e, nil
		}
	}
	return jobs.EventOf(sub)
}

// resultsHTML draws a state as the page shows it. It is empty when the course has lost the
// exercise: then there is no page to show it on.
func (s *Server) resultsHTML(ctx context.Context, e jobs.Event, sub store.Submission) (string, error) {
	results, err := s.results(ctx, e, sub)
	if err != nil || results.Exercise == nil {
		return "", err
	}
	var b strings.Builder
	if err := web.ResultsOf(results).Render(ctx, &b); err != nil {
		return "", fmt.Errorf("draw the results: %w", err)
	}
	return b.String(), nil
}

// results is a state in the words of package web.
func (s *Server) results(ctx context.Context, e jobs.Event, sub store.Submission) (web.Results, error) {
	course, err := s.library.Course(ctx)
	if err != nil {
		return web.Results{}, fmt.Errorf("read the course: %w", err)
	}
	results := web.Results{Place: e.Place, At: sub.At, Source: sub.Source}
	if lesson, err := course.Lesson(sub.Lesson); err == nil {
		// The error says that it is not there, and so does nil.
		results.Exercise, _ = lesson.Exercise(sub.Exercise)
	}
	text, err := json.Marshal(e.Verdict)
	if err != nil {
		return web.Results{}, fmt.Errorf("write a verdict: %w", err)
	}
	// Package web knows nothing of the checker, so the JSON that both agree on goes between.
	if err := json.Unmarshal(text, &results.Submission); err != nil {
		return web.Results{}, fmt.Errorf("read a verdict: %w", err)
	}
	return results, nil
}
