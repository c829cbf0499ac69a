package server

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
)

// How much one sender may ask for in ten seconds. A class of two hundred behind one address has
// to fit, each typing and sending at the same time: while somebody types, the page saves the
// draft and checks the types a little more than once a second. Beyond that it is a program that
// has run wild, and others need the machine too.
const (
	rateWindow   = 10 * time.Second
	addressRate  = 6000 // requests that change or compute something or are for /api/, of one address
	submitRate   = 600  // programs to be checked, of one address
	helpRate     = 4000 // programs to be formatted or their types checked, of one address
	ownHelpRate  = 40   // the same, of one session
	liveRate     = 1000 // sockets opened, by one address: after a restart all come at once
	watchRate    = 6000 // submissions watched by them, each of which is looked up
	helpPatience = 2 * time.Second
)

// rates keep single senders from taking everything.
type rates struct {
	sender  func(http.Handler) http.Handler // for every request but those for pages and files
	submits func(http.Handler) http.Handler // for programs to be checked
	helps   func(http.Handler) http.Handler // for formatting and types
	lives   func(http.Handler) http.Handler // for sockets
	watches *allowance                      // for what is asked by them

	format turns
	types  turns
}

// newRates makes the limits. Formatting runs in this process, one on each processor but one;
// types are checked by child processes, of which there are few.
func (s *Server) newRates() *rates {
	byAddress := func(most int) func(http.Handler) http.Handler { return s.limited(most, senderOf) }
	help, ownHelp := byAddress(helpRate), s.limited(ownHelpRate, sessionOf)
	cores := runtime.GOMAXPROCS(0)
	return &rates{
		sender:  onlyFor(isWork, byAddress(addressRate)),
		submits: byAddress(submitRate),
		lives:   byAddress(liveRate),
		watches: newAllowance(watchRate, rateWindow),
		helps:   func(next http.Handler) http.Handler { return help(ownHelp(next)) },
		format:  make(turns, max(1, cores-1)),
		types:   make(turns, 4*cores),
	}
}

// isWork tells requests that cost something from those for pages and files.
func isWork(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(r.URL.Path, "/api/")
}

// limited lets each key pass so often in a window. Requests with the empty key all pass.
func (s *Server) limited(most int, keyOf func(*http.Request) string) func(http.Handler) http.Handler {
	refuse := s.serve(func(http.ResponseWriter, *http.Request) error {
		return &refusal{status: http.StatusTooManyRequests, code: "too_many_requests", after: rateWindow,
			title: "That was a great many requests", message: "Wait ten seconds, then go on. Nothing that was sent before is lost."}
	})
	limit := httprate.LimitBy(most, rateWindow, func(r *http.Request) (string, error) { return keyOf(r), nil },
		httprate.WithLimitHandler(refuse),
		// Of its headers only the standard one is for anybody's use.
		httprate.WithResponseHeaders(httprate.ResponseHeaders{RetryAfter: "Retry-After"}))
	return onlyFor(func(r *http.Request) bool { return keyOf(r) != "" }, limit)
}

// onlyFor applies a middleware to some requests and lets the others pass by it.
func onlyFor(which func(*http.Request) bool, m func(http.Handler) http.Handler) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		with := m(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if which(r) {
				with.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// senderOf is the address that a request comes from: its own, or where a proxy on this machine
// hands it on, the one that the proxy tells. It is empty for the owner at this machine.
func senderOf(r *http.Request) string {
	if a := addressOf(r); a != "" {
		return a
	}
	return httprate.CanonicalizeIP(middleware.GetClientIP(r.Context()))
}

// sessionOf tells one session from another without looking it up: whoever makes tokens up to
// pass for many is still one address.
func sessionOf(r *http.Request) string {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// turns are as many places as may be taken at once.
type turns chan struct{}

// enter takes a place, waiting a moment for one; the caller must call done to leave it. The
// error is a [refusal] when there was none, or that of ctx.
func (t turns) enter(ctx context.Context) (done func(), err error) {
	patience := time.NewTimer(helpPatience)
	defer patience.Stop()
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-patience.C:
		return nil, &refusal{status: http.StatusTooManyRequests, code: "busy", after: helpPatience,
			title: "Many others ask for the same right now", message: "Your program is safe in the editor; try again in a moment."}
	}
}
