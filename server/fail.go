package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/ringoftowers/towers/lessons"
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

// fail makes a page of an error: all errors of all routes come here. What the reader can mend
// says how; anything else is logged whole, and the reader gets a number to quote.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		return // the reader has gone; nobody is there to read a page
	}
	page := describe(err)
	page.Assets = s.assets
	switch page.Status {
	case http.StatusNotFound:
		page.Nearest = s.nearest(r)
	case http.StatusMethodNotAllowed:
		var wrong *methodError
		if errors.As(err, &wrong) {
			w.Header().Set("Allow", strings.Join(wrong.allowed, ", "))
		}
	case http.StatusInternalServerError:
		page.ID = numberOf(r)
		s.log.ErrorContext(r.Context(), "request failed", "id", page.ID, "path", r.URL.Path, "error", err)
	}
	if err := show(w, r, page.Status, web.Failure(page)); err != nil {
		s.log.ErrorContext(r.Context(), "the page for a failure failed", "id", numberOf(r), "error", err)
		http.Error(w, page.Title+"\n\n"+page.Message, page.Status)
	}
}

// describe says in plain words what an error means to the reader, and what to do next.
func describe(err error) web.FailurePage {
	var missing *lessons.NotFoundError
	var wrong *methodError
	switch {
	case errors.As(err, &missing):
		return web.FailurePage{Status: http.StatusNotFound,
			Title:   fmt.Sprintf("There is no %s here called “%s”", missing.What, shortened(missing.Name)),
			Message: "It may have been renamed, or the address was not copied whole. The table of contents has every lesson."}
	case errors.As(err, new(*noPageError)):
		return web.FailurePage{Status: http.StatusNotFound,
			Title:   "There is no page at this address",
			Message: "Perhaps a letter went astray on the way. The table of contents has every lesson."}
	case errors.As(err, &wrong):
		return web.FailurePage{Status: http.StatusMethodNotAllowed,
			Title:   "This page cannot do that",
			Message: fmt.Sprintf("It answers %s, not %s.", strings.Join(wrong.allowed, " and "), wrong.method)}
	case errors.Is(err, errForeign):
		return web.FailurePage{Status: http.StatusForbidden,
			Title:   "That came from another site",
			Message: "For your safety nothing was changed. Open the lesson here and do it again from its own page."}
	}
	return web.FailurePage{Status: http.StatusInternalServerError,
		Title:   "Something broke on our side",
		Message: "It was nothing that you did. Loading the page again may help; if not, tell us the number below and we can find what happened."}
}

// shortened keeps what somebody typed into the address from filling the page.
func shortened(name string) string {
	const most = 40
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
