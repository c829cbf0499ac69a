package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

type numberKey struct{}

// number gives each request a number that a reader can quote and that finds its lines in the
// log. One that the client sends along is not taken over: it could be made to look like another's.
func (s *Server) number(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Fifty random bits, in letters that survive being read out on the phone.
		id := strings.ToLower(rand.Text()[:10])
		w.Header().Set("X-Request-Id", id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), numberKey{}, id)))
	})
}

func numberOf(r *http.Request) string {
	id, _ := r.Context().Value(numberKey{}).(string)
	return id
}

// logged writes one line for each request when it is over. It tells the route and not the
// query, and nothing about who asked.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		// Deferred, so that an answer that was broken off has its line too.
		defer func() {
			route := chi.RouteContext(r.Context()).RoutePattern()
			level := slog.LevelInfo
			if route == "/healthz" || route == "/readyz" {
				level = slog.LevelDebug // every few seconds, for ever
			}
			s.log.LogAttrs(r.Context(), level, "request",
				slog.String("id", numberOf(r)),
				slog.String("method", r.Method),
				slog.String("route", route),
				slog.String("path", loggable(r)),
				slog.Int("status", ww.Status()),
				slog.Int("bytes", ww.BytesWritten()),
				slog.Float64("ms", float64(time.Since(began).Microseconds())/1000))
		}()
		next.ServeHTTP(ww, r)
	})
}

// loggable is the path of a request without what is secret in it: an invitation's token is good
// until somebody has used it.
func loggable(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/join/") {
		return "/join/…"
	}
	return r.URL.Path
}

// caught makes of a panic the page that says it is our fault, and keeps the process alive for
// everybody else. Where the answer has begun already the connection is cut, so that nobody
// takes half a page for a whole one.
func (s *Server) caught(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v) // meant for net/http, which cuts the connection and says nothing
			}
			err := fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			if ww.Status() != 0 {
				s.log.ErrorContext(r.Context(), "answer broken off", "id", numberOf(r), "error", err)
				panic(http.ErrAbortHandler)
			}
			s.fail(ww, r, err)
		}()
		next.ServeHTTP(ww, r)
	})
}

// sameOrigin refuses requests that change something when another site's page sends them with
// our reader's cookies.
func (s *Server) sameOrigin() func(http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(s.serve(func(http.ResponseWriter, *http.Request) error { return errForeign }))
	return p.Handler
}

// secured sets the headers by which a browser keeps our pages safe even where we err.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for _, header := range security {
			h.Set(header.name, header.value)
		}
		next.ServeHTTP(w, r)
	})
}
