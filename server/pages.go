package server

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"github.com/ringoftowers/towers/web"
)

// index shows the chart of the course.
func (s *Server) index(w http.ResponseWriter, r *http.Request) error {
	course, err := s.library.Course(r.Context())
	if err != nil {
		return fmt.Errorf("read the course: %w", err)
	}
	return show(w, r, http.StatusOK, web.Index(web.IndexPage{Assets: s.assets, Course: course}))
}

// lesson shows one lesson.
func (s *Server) lesson(w http.ResponseWriter, r *http.Request) error {
	course, err := s.library.Course(r.Context())
	if err != nil {
		return fmt.Errorf("read the course: %w", err)
	}
	lesson, err := course.Lesson(chi.URLParam(r, "lesson"))
	if err != nil {
		return err
	}
	return show(w, r, http.StatusOK, web.Lesson(web.LessonPage{Assets: s.assets, Course: course, Lesson: lesson}))
}

// show draws a page whole before a byte of it is sent: a page that fails half-way becomes
// the page that says so, and never half a page.
func show(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	var b bytes.Buffer
	if err := page.Render(r.Context(), &b); err != nil {
		return fmt.Errorf("draw the page: %w", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return send(w, r, status, b.Bytes())
}

// withoutSlash leads from the address of a lesson with a slash at its end to the right one,
// so that no page has two addresses.
func withoutSlash(w http.ResponseWriter, r *http.Request) error {
	// The name is escaped, or one beginning with a slash would lead to another site.
	http.Redirect(w, r, "/lessons/"+url.PathEscape(chi.URLParam(r, "lesson")), http.StatusPermanentRedirect)
	return nil
}

func redirectTo(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, path, http.StatusPermanentRedirect)
	}
}
