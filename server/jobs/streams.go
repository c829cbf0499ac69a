package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	recordWait  = 5 * time.Second // so long may recording take before a result comes again
	dedupWindow = 2 * time.Minute // within which a message that comes twice is dropped
	mostHands   = 4096            // workers' requests that can be open at a time
)

// prepare sees to it that the streams are there and that each submission that was sent is in one
// of them. The first time it throws away the jobs of a former run, which may be of exercises as
// they were then, and records the verdicts that it left.
func (q *Queue) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 4*patience)
	defer cancel()
	checks, err := q.stream(ctx, checksStream, checksSubject, jetstream.ConsumerConfig{
		Durable: workersName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.config.pace.ack, MaxDeliver: -1,
		MaxWaiting: mostHands,
	})
	if err != nil {
		return err
	}
	results, err := q.stream(ctx, resultsStream, resultsSubject, jetstream.ConsumerConfig{
		Durable: recorderName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: recordWait, MaxDeliver: -1,
	})
	if err != nil {
		return err
	}
	if !q.inherited {
		if err := q.inherit(ctx, checks); err != nil {
			return err
		}
		q.inherited = true
		close(q.prepared)
	}
	return q.compareStreams(ctx, checks, results)
}

// stream makes a work queue and its consumer, unless they are there. One that is damaged, or that
// another version made otherwise, is thrown away and made anew.
func (q *Queue) stream(ctx context.Context, name, subject string, consumer jetstream.ConsumerConfig) (jetstream.Stream, error) {
	s, err := q.makeStream(ctx, name, subject, consumer)
	var answer *jetstream.APIError
	if err == nil || !errors.As(err, &answer) || answer.Code == http.StatusServiceUnavailable {
		return s, err
	}
	q.log.Warn("a stream cannot be used and is made anew", "stream", name, "error", err)
	if err := q.link.js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, fmt.Errorf("delete the stream %s: %w", name, err)
	}
	return q.makeStream(ctx, name, subject, consumer)
}

// makeStream makes a stream in memory: it holds only a few submissions for each free hand, and
// whatever a NATS server forgets is sent again from the rows. A stream in files is no gain: once a
// disk was full, nats-server 2.15 refuses that stream's messages for good, however much room there
// is later, and every worker would wait to hand in its verdict.
func (q *Queue) makeStream(ctx context.Context, name, subject string, consumer jetstream.ConsumerConfig) (jetstream.Stream, error) {
	s, err := q.link.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: name, Subjects: []string{subject + "*"}, Storage: jetstream.MemoryStorage,
		Retention: jetstream.WorkQueuePolicy, Duplicates: dedupWindow,
	})
	if err != nil {
		return nil, fmt.Errorf("make the stream %s: %w", name, err)
	}
	if _, err := s.CreateOrUpdateConsumer(ctx, consumer); err != nil {
		return nil, fmt.Errorf("make the consumer of %s: %w", name, err)
	}
	return s, nil
}

// inherit deals with what a former run left in the streams.
func (q *Queue) inherit(ctx context.Context, checks jetstream.Stream) error {
	if err := checks.Purge(ctx); err != nil {
		return fmt.Errorf("empty the stream of jobs: %w", err)
	}
	recorder, err := q.link.js.Consumer(ctx, resultsStream, recorderName)
	if err != nil {
		return fmt.Errorf("find the consumer of verdicts: %w", err)
	}
	for {
		batch, err := recorder.FetchNoWait(100)
		if err != nil {
			return fmt.Errorf("fetch the verdicts that were left: %w", err)
		}
		n := 0
		for msg := range batch.Messages() {
			q.take(ctx, msg)
			n++
		}
		if err := batch.Error(); err != nil {
			return fmt.Errorf("fetch the verdicts that were left: %w", err)
		}
		if n == 0 {
			return nil
		}
	}
}

// compareStreams makes those wait again that were sent and are in neither stream. A worker puts
// the result into one before it takes the job out of the other, so looking at them in this order
// overlooks nothing; what was recorded and taken out between is off the board already.
func (q *Queue) compareStreams(ctx context.Context, checks, results jetstream.Stream) error {
	away := q.board.away()
	if len(away) == 0 {
		return nil
	}
	held := make(map[string]struct{})
	for _, s := range []jetstream.Stream{checks, results} {
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(">"))
		if err != nil {
			return fmt.Errorf("look into a stream: %w", err)
		}
		for subject := range info.State.Subjects {
			held[wordOf(subject)] = struct{}{}
		}
	}
	var lost []sending
	for _, s := range away {
		if _, ok := held[s.id]; !ok {
			lost = append(lost, s)
		}
	}
	if len(lost) > 0 {
		q.log.Warn("submissions were lost on the way and are sent again", "number", len(lost))
		q.board.lost(lost)
	}
	return nil
}
