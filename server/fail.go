package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
	"github.com/ringoftowers/towers/web"
)

// errForeign says that a form or script of another site wanted to change something here.
var errForeign = errors.New("a request of another site that would change something")

// errNotDrawn says that drawing a page broke off, for those who waited for it.
var errNotDrawn = errors.New("the page broke off while it was drawn")

// A noPageError says that there is nothing at an address.
type noPageError struct{ path string }

func (e *noPageError) Error() string { return fmt.Sprintf("no page %q", e.path) }

// A methodError says that there is a page, but not for this method.
type methodError struct {
	method  string
	allowed []string
}

func (e *methodError) Error() string {
	return fmt.Sprintf("method %s, not one of %q", e.method, e.allowed)
}

// A refusal is the answer to a request that cannot be done as it came, told so that whoever
// sent it can mend it. It is never logged as a fault of ours.
type refusal struct {
	status  int
	code    string        // for programs: one word that stays the same
	title   string        // for people: what happened
	message string        // and what to do next
	after   time.Duration // when to come again; 0 where that would not help
}

func (e *refusal) Error() string { return fmt.Sprintf("%s: %s", e.code, e.title) }

// fail answers with an error: all errors of all routes come here. It makes a page, or JSON for
// a program. What the sender can mend says how; anything else is logged whole, and the sender
// gets a number to quote.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the reader has gone; nobody is there to read a page
	}
	said := describe(err)
	if wrong := (*methodError)(nil); errors.As(err, &wrong) {
		w.Header().Set("Allow", strings.Join(wrong.allowed, ", "))
	}
	if said.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds(said.after)))
	}
	number := ""
	if said.status == http.StatusInternalServerError {
		number = numberOf(r)
		s.log.ErrorContext(r.Context(), "request failed", "id", number, "path", loggable(r), "error", err)
	}
	if wantsJSON(r) {
		sendError(w, r, said, number)
		return
	}
	s.failurePage(w, r, said, number)
}

// failurePage shows what went wrong as a page.
func (s *Server) failurePage(w http.ResponseWriter, r *http.Request, said *refusal, number string) {
	page := web.FailurePage{Assets: s.assets, Status: said.status, Title: said.title, Message: said.message, ID: number}
	if said.status == http.StatusNotFound {
		page.Nearest = s.nearest(r)
	}
	if err := s.show(w, r, page.Status, web.Failure(page)); err != nil {
		s.log.ErrorContext(r.Context(), "the page for a failure failed", "id", numberOf(r), "error", err)
		http.Error(w, page.Title+"\n\n"+page.Message, page.Status)
	}
}

// wantsJSON says whether a program sent the request rather than somebody who reads pages.
func wantsJSON(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || r.URL.Path == "/live" ||
		strings.HasPrefix(r.Header.Get("Accept"), "application/json")
}

// seconds is a time to wait as HTTP writes it: whole, and never so short that it is too early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// describe says in plain words what an error means to whoever sent the request, and what to do
// next.
func describe(err error) *refusal {
	var known *refusal
	var missing *lessons.NotFoundError
	var wrong *methodError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &missing):
		return &refusal{status: http.StatusNotFound, code: "not_found",
			title:   fmt.Sprintf("There is no %s here called “%s”", missing.What, shortened(missing.Name)),
			message: "It may have been renamed, or the address was not copied whole. The table of contents has every lesson."}
	case errors.As(err, new(*noPageError)):
		return &refusal{status: http.StatusNotFound, code: "not_found",
			title:   "There is no page at this address",
			message: "Perhaps a letter went astray on the way. The table of contents has every lesson."}
	case errors.As(err, &wrong):
		return &refusal{status: http.StatusMethodNotAllowed, code: "method_not_allowed",
			title:   "This page cannot do that",
			message: fmt.Sprintf("It answers %s, not %s.", strings.Join(wrong.allowed, " and "), wrong.method)}
	case errors.Is(err, errForeign):
		return &refusal{status: http.StatusForbidden, code: "foreign",
			title:   "That came from another site",
			message: "For your safety nothing was changed. Open the lesson here and do it again from its own page."}
	}
	if said := describeKept(err); said != nil {
		return said
	}
	return &refusal{status: http.StatusInternalServerError, code: "internal",
		title:   "Something broke on our side",
		message: "It was nothing that you did. Loading the page again may help; if not, tell us the number below and we can find what happened."}
}

// describeKept is describe for what the store and the queue say. It gives nil for anything else.
func describeKept(err error) *refusal {
	var busy *jobs.BusyError
	switch {
	case errors.As(err, &busy):
		said := &refusal{status: http.StatusTooManyRequests, code: "busy", after: max(busy.RetryAfter, time.Second),
			title:   "Very many programs wait to be checked",
			message: "Yours was not taken. It is still in the editor: send it again in a moment."}
		if errors.Is(err, store.ErrShare) {
			said.title = "Several of your programs wait to be checked"
			said.message = "This one was not taken. Wait for the verdict of one that you sent before, then send it again."
		}
		return said
	case errors.Is(err, store.ErrFull):
		return &refusal{status: http.StatusServiceUnavailable, code: "disk_full", after: time.Minute,
			title:   "The disk is full",
			message: "This could not be kept. Nothing that was sent before is lost; try again in a while, and tell whoever runs this site."}
	case errors.Is(err, store.ErrNotFound):
		return &refusal{status: http.StatusNotFound, code: "not_found",
			title:   "There is nothing here, or it is not yours",
			message: "Perhaps a letter of the address went astray, or you did this in another browser: sign in to see it."}
	}
	return nil
}

// shortened keeps what somebody typed into the address from filling the page.
func shortened(name string) string { return cutAt(name, 40) }

// cutAt cuts a text after so many characters.
func cutAt(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
