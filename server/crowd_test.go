package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

func TestCrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(2)
		var leave []func()
		for range 2 {
			out, ok := c.enter(t.Context(), "Ada")
			if !ok {
				t.Fatal("there is no place for the first two")
			}
			leave = append(leave, out)
		}
		began := time.Now()
		if _, ok := c.enter(t.Context(), "Ada"); ok || time.Since(began) != crowdPatience {
			t.Errorf("the third: %v, after %v", ok, time.Since(began))
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, ok := c.enter(gone, "Ada"); ok {
			t.Error("who has gone is inside")
		}
		if out, ok := c.enter(t.Context(), "Eve"); !ok {
			t.Error("another key waits too")
		} else {
			out()
		}
		time.AfterFunc(time.Second, leave[0])
		out, ok := c.enter(t.Context(), "Ada")
		if !ok {
			t.Fatal("there is no place when one has left")
		}
		out()
		leave[1]()
		if len(c.gates) != 0 {
			t.Errorf("%d keys are remembered when all have left", len(c.gates))
		}
	})
}

// Of many requests of one session some are answered at a time; other sessions' are not held up,
// and those that wait for news have places of their own.
func TestSessionsAreAnsweredInTurn(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	entered, release := make(chan string), make(chan struct{})
	h := s.inTurn()(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		entered <- r.URL.String()
		<-release
	}))
	ask := func(target, cookie string) {
		r := httptest.NewRequest("GET", target, nil)
		r.Header.Set("Cookie", cookie)
		go h.ServeHTTP(httptest.NewRecorder(), r)
	}
	for range 2 * mostPages {
		ask("/", "towers=ada")
	}
	for range mostPages {
		<-entered
	}
	for _, other := range []struct{ target, cookie string }{
		{"/?eve", "towers=eve"}, {"/?nobody", ""}, {"/live", "towers=ada"}, {"/static/x", "towers=ada"}, {"/api/submissions/x?after=0", "towers=ada"},
	} {
		ask(other.target, other.cookie)
		if got := <-entered; got != other.target {
			t.Errorf("in comes %s, want %s", got, other.target)
		}
	}
	close(release)
	for range mostPages {
		<-entered
	}
}
