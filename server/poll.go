package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

// pollTime is how long a request for news waits for some. Together with the answer it is well
// within the minute that any answer may take.
const pollTime = 20 * time.Second

// An update is an event as it goes out: with its drawing, where that was asked for.
type update struct {
	jobs.Event
	HTML string `json:"html,omitempty"`
}

// submission tells what is known of a submission. With ?after= it waits until something newer
// than that event is known.
func (s *Server) submission(w http.ResponseWriter, r *http.Request) error {
	learner, err := s.who(r)
	if err != nil {
		return err
	}
	sub, err := s.theirs(r.Context(), learner, param(r, "submission"))
	if err != nil {
		return err
	}
	query := r.URL.Query()
	if !query.Has("after") {
		e, err := s.present(sub)
		if err != nil {
			return err
		}
		return sendJSON(w, r, http.StatusOK, e.Verdict)
	}
	after, err := strconv.ParseInt(query.Get("after"), 10, 64)
	if err != nil {
		return malformed("The number in ?after= must be the seq of an event, or 0.")
	}
	e, err := s.await(r, sub, after)
	if err != nil {
		return err
	}
	u, err := s.update(r.Context(), e, query.Get("as"), sub)
	if err != nil {
		return err
	}
	return sendJSON(w, r, http.StatusOK, u)
}

// await waits for news, and gives what is known in any case when the time is over.
func (s *Server) await(r *http.Request, sub store.Submission, after int64) (jobs.Event, error) {
	if sub.Judged() {
		return s.present(sub)
	}
	ctx, cancel := s.sockets.until(r.Context())
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, pollTime)
	defer cancel()
	f := s.follow(sub.ID, after)
	defer f.close()
	e, err := f.next(ctx)
	if err == nil || ctx.Err() == nil || r.Context().Err() != nil {
		return e, err
	}
	if sub, err = s.store.Submission(r.Context(), sub.ID); err != nil {
		return jobs.Event{}, fmt.Errorf("look up a submission: %w", err)
	}
	return s.present(sub)
}

// update adds to an event what the page asked for.
func (s *Server) update(ctx context.Context, e jobs.Event, as string, sub store.Submission) (update, error) {
	u := update{Event: e}
	if as != "html" {
		return u, nil
	}
	var err error
	u.HTML, err = s.resultsHTML(ctx, e, sub)
	return u, err
}
