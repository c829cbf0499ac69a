package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/web"
)

// index shows the chart of the course.
func (s *Server) index(w http.ResponseWriter, r *http.Request) error {
	course, err := s.course(r)
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, web.Index(web.IndexPage{Assets: s.assets, Course: course}))
}

// lesson shows one lesson. A reader without a script asks by the address for the form of a note
// to stand open: for a new one by ?note=HEADING, for one that is there by ?edit=NOTE.
func (s *Server) lesson(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query()
	return s.lessonPage(w, r, http.StatusOK, param(r, "lesson"), web.NoteForm{Anchor: asked.Get("note"), ID: asked.Get("edit")})
}

// lessonPage shows a lesson with its reader's notes and progress. What all readers see comes
// from the shelf; only the rest is drawn for this one.
func (s *Server) lessonPage(w http.ResponseWriter, r *http.Request, status int, name string, form web.NoteForm) error {
	course, err := s.course(r)
	if err != nil {
		return err
	}
	lesson, err := course.Lesson(name)
	if err != nil {
		return err
	}
	reader, learner, err := s.reader(w, r)
	if err != nil {
		return err
	}
	reader.Path = "/lessons/" + url.PathEscape(lesson.Name)
	if reader.Notes, err = s.notesFor(r.Context(), learner, lesson.Name, form); err != nil {
		return err
	}
	light := theme(r)
	stencil, err := s.shelf.page(r.Context(), course, s.shelf.copyOf(course, lesson, light), func(ctx context.Context) (*web.Stencil, error) {
		return web.Cut(web.WithTheme(ctx, light), web.Lesson(web.LessonPage{Assets: s.assets, Course: course, Lesson: lesson}))
	})
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := stencil.Fill(r.Context(), &page, reader); err != nil {
		return err
	}
	return sendPage(w, r, status, page.Bytes())
}

// exercisePlace leads to the place in its lesson where an exercise is set: all that there is to
// see of it where nothing is kept.
func (s *Server) exercisePlace(w http.ResponseWriter, r *http.Request) error {
	_, lesson, err := s.asked(r)
	if err != nil {
		return err
	}
	exercise, err := lesson.Exercise(param(r, "exercise"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/lessons/"+url.PathEscape(lesson.Name)+"#exercise-"+url.PathEscape(exercise.ID), http.StatusFound)
	return nil
}

// course reads the course as it is now.
func (s *Server) course(r *http.Request) (*lessons.Course, error) {
	course, err := s.library.Course(r.Context())
	if err != nil {
		return nil, fmt.Errorf("read the course: %w", err)
	}
	return course, nil
}

// asked finds the lesson that the address names, and the course that it is in.
func (s *Server) asked(r *http.Request) (*lessons.Course, *lessons.Lesson, error) {
	course, err := s.course(r)
	if err != nil {
		return nil, nil, err
	}
	lesson, err := course.Lesson(param(r, "lesson"))
	return course, lesson, err
}

const pageType = "text/html; charset=utf-8"

// show draws a page for whoever asked for it, and sends it.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, page templ.Component) error {
	reader, _, err := s.reader(w, r)
	if err != nil {
		return err
	}
	return s.showTo(w, r, reader, status, page)
}

// showTo is show where it is known already who asked.
func (s *Server) showTo(w http.ResponseWriter, r *http.Request, reader web.Reader, status int, page templ.Component) error {
	body, err := draw(web.WithReader(r.Context(), reader), theme(r), page)
	if err != nil {
		return err
	}
	return sendPage(w, r, status, body)
}

// sendPage sends a page as one reader sees it. A cache must not give it to another one: the
// cookie tells them apart.
func sendPage(w http.ResponseWriter, r *http.Request, status int, body []byte) error {
	w.Header().Add("Vary", "Cookie")
	return send(w, r, status, pageType, body)
}

// draw makes a page whole before a byte of it is sent: a page that fails half-way becomes the
// page that says so, and never half a page.
func draw(ctx context.Context, theme string, page templ.Component) ([]byte, error) {
	var b bytes.Buffer
	if err := page.Render(web.WithTheme(ctx, theme), &b); err != nil {
		return nil, fmt.Errorf("draw the page: %w", err)
	}
	return b.Bytes(), nil
}

// theme is the light that a reader chose with the button at the top of every page: light,
// dark, or none.
func theme(r *http.Request) string {
	cookie, err := r.Cookie("theme")
	if err != nil || cookie.Value != "light" && cookie.Value != "dark" {
		return ""
	}
	return cookie.Value
}

// withoutSlash leads from an address with a slash at its end to the right one, so that no page
// has two addresses.
func withoutSlash(w http.ResponseWriter, r *http.Request) error {
	// The names are escaped, or one beginning with a slash would lead to another site.
	to := "/lessons/" + url.PathEscape(param(r, "lesson"))
	if exercise := param(r, "exercise"); exercise != "" {
		to += "/exercises/" + url.PathEscape(exercise)
	}
	http.Redirect(w, r, to, http.StatusPermanentRedirect)
	return nil
}

func redirectTo(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, path, http.StatusPermanentRedirect)
	}
}

// param is a part of the address as it is meant: chi leaves a part escaped where the address
// came with escapes that were not needed.
func param(r *http.Request, name string) string {
	part := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return part
	}
	if plain, err := url.PathUnescape(part); err == nil {
		return plain
	}
	return part
}
