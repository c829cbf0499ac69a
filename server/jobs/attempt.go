package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ringoftowers/towers/server/check"
)

// speakEvery is how often a worker says that it is still at a job; four times as often as it must.
const speakEvery = 750 * time.Millisecond

// do judges the submission of one message and hands the result in, or gives the message back if
// the worker is stopping.
func (s *shift) do(ctx context.Context, msg jetstream.Msg) {
	stop := s.hold(msg)
	defer stop()
	r, ok := s.judge(ctx, msg)
	if ok {
		ok = s.handIn(ctx, r, msg)
	}
	stop()
	var err error
	if ok {
		err = msg.Ack()
	} else {
		err = msg.Nak()
	}
	if err != nil {
		// The stream will deliver it to somebody, whose result changes nothing.
		s.log.Debug("a job will come again", "id", r.ID, "error", err)
	}
}

// hold tells the stream again and again that the job is being done, until the function that it
// returns is called, any number of times.
func (s *shift) hold(msg jetstream.Msg) (stop func()) {
	done := make(chan struct{})
	var holding sync.WaitGroup
	holding.Go(func() {
		tick := time.NewTicker(speakEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := msg.InProgress(); err != nil {
					s.log.Debug("the stream may take a job for abandoned", "error", err)
				}
			case <-done:
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		holding.Wait()
	})
}

// judge has the checker judge a job. It reports false if it was stopped before there was a
// verdict.
func (s *shift) judge(ctx context.Context, msg jetstream.Msg) (result, bool) {
	id, round, err := splitMessageID(msg.Headers().Get(jetstream.MsgIDHeader))
	r := result{ID: wordOf(msg.Subject()), Round: round}
	meta, metaErr := msg.Metadata()
	var j job
	switch {
	case ctx.Err() != nil:
		return r, false
	case err != nil || id != r.ID || metaErr != nil:
		r.Fault = fmt.Sprintf("a job is not of this queue: %q", msg.Subject())
	case meta.NumDelivered > mostDeliveries:
		r.Fault = fmt.Sprintf("%d workers began and did not end", meta.NumDelivered-1)
	default:
		if err = unpack(msg.Data(), &j); err != nil {
			r.Fault = "the worker cannot read the job; is it of the same version as the server? " + err.Error()
		}
	}
	if r.Fault != "" {
		s.log.Warn("a submission is not judged", "id", r.ID, "error", r.Fault)
		return r, true
	}
	return s.check(ctx, j, meta.NumDelivered)
}

func (s *shift) check(ctx context.Context, j job, delivery uint64) (result, bool) {
	teller := s.tellOf(j, delivery)
	teller.tell(check.Verdict{ID: j.ID, Lesson: j.Exercise.Lesson, Exercise: j.Exercise.Name, State: check.Building,
		Diagnostics: []check.Diagnostic{}, Tests: []check.Test{}})
	v, err := s.ask(ctx, check.Submission{ID: j.ID, Source: j.Source, Exercise: j.Exercise, Notify: teller.tell})
	teller.stop()
	r := result{ID: j.ID, Round: j.Round, Verdict: v}
	if err != nil {
		r.Fault = err.Error()
	}
	if r.failed() && ctx.Err() != nil {
		return r, false
	}
	if r.failed() && r.Fault == "" {
		r.Fault = "the checker says that the fault is ours: " + v.Message
	}
	return r, true
}

// ask asks the checker. Over some program it may panic, which must not end the process: that may
// be the whole server, and it would end again whenever it is started.
func (s *shift) ask(ctx context.Context, what check.Submission) (v check.Verdict, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			s.log.Error("the checker panicked", "id", what.ID, "panic", bug, "stack", string(debug.Stack()))
			v, err = check.Verdict{}, fmt.Errorf("the checker panicked: %v", bug)
		}
	}()
	return s.checker.Check(ctx, what)
}

// handIn puts a result into its stream, however long that takes; only a worker that is stopping
// gives up after a while.
func (s *shift) handIn(ctx context.Context, r result, msg jetstream.Msg) bool {
	data, err := fit(r.Verdict, s.link.most(), func(v check.Verdict) any {
		r.Verdict = v
		return r
	})
	if err != nil {
		r.Verdict, r.Fault = check.Verdict{}, err.Error()
		if data, err = pack(r); err != nil {
			s.log.Error("a result cannot be written", "id", r.ID, "error", err)
			return false
		}
	}
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(farewell, cancel) })()
	for {
		err := s.link.publish(last, resultsSubject+r.ID, msg.Headers().Get(jetstream.MsgIDHeader), data)
		if err == nil {
			return true
		}
		if last.Err() != nil || errors.Is(err, nats.ErrConnectionClosed) {
			return false
		}
		s.log.Debug("a result is not handed in yet", "id", r.ID, "error", err)
		pause(last, redial)
	}
}

// wordOf is the last word of a subject.
func wordOf(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }
