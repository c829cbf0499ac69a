package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"path/filepath"
	"sync"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server"
	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

// A site is all that serve puts together: what is kept, what is under way, who checks, and the
// server in front of them.
type site struct {
	store  *store.Store
	queue  *jobs.Queue
	desk   *desk
	server *server.Server
	data   string
	log    *slog.Logger
}

// share is how many submissions of one learner may wait at once. Somebody who sends another
// one every few seconds never meets it.
const share = 8

// open puts a site together. What it opened it closes again when something fails.
func (c serveCommand) open(ctx context.Context, library *lessons.Library, built fs.FS, log *slog.Logger) (_ *site, err error) {
	s := &site{data: c.Data, log: log, desk: &desk{parallel: parallel(c.Parallel), elsewhere: c.NATS != "" || c.Listen != ""}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	s.store, err = store.Open(ctx, storeFile(c.Data))
	if err != nil {
		return nil, fmt.Errorf("open what is kept in %s: %w", c.Data, err)
	}
	s.queue, err = jobs.Open(ctx, jobs.Config{
		Ledger: s.store, Exercise: exerciseOf(library), Share: share, Log: log,
		URL: c.NATS, Listen: c.Listen, Dir: filepath.Join(c.Data, "queue"),
	})
	if err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	s.server, err = server.New(server.Config{
		Library: library, Built: built, Log: log,
		Store: s.store, Queue: s.queue, Watch: func(id string) server.Watch { return s.queue.Watch(id) },
		Types: s.desk, Checking: s.desk.Off,
		Exercise: func(lesson string, e *lessons.Exercise) check.Exercise { return checkable(lesson, e, e.Kind) },
	})
	return s, err
}

// storeFile is where a data folder has its database.
func storeFile(data string) string { return filepath.Join(data, "store", "towers.db") }

// exerciseOf looks up what has to be checked at the moment when it is.
func exerciseOf(library *lessons.Library) func(ctx context.Context, lesson, name string) (check.Exercise, error) {
	return func(ctx context.Context, lesson, name string) (check.Exercise, error) {
		course, err := library.Course(ctx)
		if err != nil {
			return check.Exercise{}, fmt.Errorf("read the course: %w", err)
		}
		l, err := course.Lesson(lesson)
		if err != nil {
			return check.Exercise{}, errors.Join(jobs.ErrNoExercise, err)
		}
		e, err := l.Exercise(name)
		if err != nil {
			return check.Exercise{}, errors.Join(jobs.ErrNoExercise, err)
		}
		return checkable(l.Name, e, e.Kind), nil
	}
}

// serve answers and checks until ctx is done, or until one of the two fails. Requests come to
// their end first, and then the checks under way go back to the queue.
func (s *site) serve(ctx context.Context, l net.Listener, checks bool) error {
	serving, stopServing := context.WithCancel(ctx)
	defer stopServing()
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	var hands sync.WaitGroup
	var worked error
	if checks {
		hands.Go(func() {
			worked = s.desk.work(working, s.queue, s.data, s.log)
			if worked != nil {
				stopServing()
			}
		})
	}
	hands.Go(func() { s.sweep(working) })
	served := s.server.Serve(serving, l)
	stopWorking()
	hands.Wait()
	return errors.Join(served, worked)
}

// sweep forgets now and then the sessions that have ended, until ctx is done.
func (s *site) sweep(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if err := s.store.SweepSessions(ctx, time.Now()); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "ended sessions were not forgotten", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// close ends what open began, in the opposite order.
func (s *site) close() error {
	var errs []error
	if s.queue != nil {
		errs = append(errs, s.queue.Close())
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	return errors.Join(errs...)
}
