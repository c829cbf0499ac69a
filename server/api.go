package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/store"
)

const jsonType = "application/json"

// sendJSON answers a program. What it says is about one person and this moment, so nobody
// keeps it.
func sendJSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer as JSON: %w", err)
	}
	encoding := identity
	if len(body) >= smallest {
		encoding = negotiate(r.Header.Get("Accept-Encoding"), brotliCoding, gzipCoding)
	}
	if body, err = compress(body, encoding); err != nil {
		return fmt.Errorf("compress the answer with %s: %w", encoding, err)
	}
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", jsonType)
	write(w, r, status, encoding, body)
	return nil
}

// sendError tells a program what went wrong. The number is for faults of ours, "" otherwise.
func sendError(w http.ResponseWriter, r *http.Request, said *refusal, number string) {
	type problem struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Number  string `json:"number,omitempty"`
	}
	answer := map[string]problem{"error": {said.code, said.title + ". " + said.message, number}}
	// A map of strings always has JSON, and it is too short to be compressed.
	_ = sendJSON(w, r, said.status, answer)
}

// A workplace is an exercise that a request is about.
type workplace struct {
	course   *lessons.Course
	lesson   *lessons.Lesson
	exercise *lessons.Exercise
	checked  check.Exercise // the same as the checker knows it
}

// limit is how many bytes a program for the exercise may have.
func (p workplace) limit() int { return sourceLimit(p.checked.Limits.Source) }

// workplace finds the exercise that the address names.
func (s *Server) workplace(r *http.Request) (workplace, error) {
	course, lesson, err := s.asked(r)
	if err != nil {
		return workplace{}, err
	}
	exercise, err := lesson.Exercise(param(r, "exercise"))
	if err != nil {
		return workplace{}, err
	}
	return workplace{course, lesson, exercise, s.checked(lesson.Name, exercise)}, nil
}

// askedBy finds the exercise that the address names, and who asks for it.
func (s *Server) askedBy(r *http.Request) (workplace, store.Learner, error) {
	at, err := s.workplace(r)
	if err != nil {
		return workplace{}, store.Learner{}, err
	}
	learner, err := s.who(r)
	return at, learner, err
}

// sourceLimit is how large a program may be.
func sourceLimit(asked int) int {
	return inForce(asked, check.DefaultLimits().Source, check.DefaultCeiling().Source)
}

// inForce is the checker's rule for every limit: what an exercise asks for, or else the default,
// and never more than the ceiling.
func inForce[N int | time.Duration](asked, byDefault, most N) N {
	if asked <= 0 {
		asked = byDefault
	}
	return min(asked, most)
}

// readCode reads the program of a request: {"code":"…"}, or the field code of a form where the
// route has a form. It is at most limit bytes, or the error tells so.
func readCode(w http.ResponseWriter, r *http.Request, limit int, form bool) (string, error) {
	// What is no plain letter takes up to three times its length in JSON and in forms.
	most := int64(3*limit + 4096)
	if r.ContentLength > most {
		return "", tooLarge(limit)
	}
	r.Body = http.MaxBytesReader(w, r.Body, most)
	read := readJSONCode
	if form {
		read = readFormCode
	}
	code, err := read(r)
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return "", tooLarge(limit)
	}
	if err == nil && len(code) > limit {
		return "", tooLarge(limit)
	}
	return code, err
}

// brokenOff is the error of a body that did not come whole, or nil where the error is another.
// One that is too large is the business of whoever set the limit.
func brokenOff(err error) error {
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return err
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &refusal{status: http.StatusRequestTimeout, code: "too_slow",
			title: "That took too long to arrive", message: "Nothing was changed. Send it again, perhaps where the line is better."}
	}
	return nil
}

func tooLarge(limit int) error {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large",
		title:   "That is too large",
		message: fmt.Sprintf("At most %d bytes of Go are taken here. Nothing was sent or changed.", limit)}
}

func readJSONCode(r *http.Request) (string, error) {
	var body struct {
		Code *string `json:"code"`
	}
	if err := readJSON(r, &body); err != nil {
		return "", err
	}
	if body.Code == nil {
		return "", malformed(`The program is missing: send {"code":"…"}.`)
	}
	return *body.Code, nil
}

// readJSON reads the one JSON value that a request should have, with no field that v has not.
// Whoever limits the body gets the [http.MaxBytesError] back.
func readJSON(r *http.Request, v any) error {
	if err := hasType(r, jsonType); err != nil {
		return err
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = errors.New("there is more after the end")
		}
	}
	if err := brokenOff(err); err != nil {
		return err
	}
	// The decoder's words name fields and places; they hold nothing that is ours to keep.
	why := cutAt(strings.TrimPrefix(err.Error(), "json: "), 200)
	return malformed("It cannot be read as the JSON that is expected here: " + why + ".")
}

func readFormCode(r *http.Request) (string, error) {
	if err := hasType(r, "application/x-www-form-urlencoded"); err != nil {
		return "", err
	}
	if err := r.ParseForm(); err != nil {
		if err := brokenOff(err); err != nil {
			return "", err
		}
		return "", malformed("The form cannot be read.")
	}
	if !r.PostForm.Has("code") {
		return "", malformed("The form's field code is missing.")
	}
	// Browsers end the lines of a form's text as for the mail of old, whatever was typed.
	return strings.ReplaceAll(r.PostForm.Get("code"), "\r\n", "\n"), nil
}

// hasType refuses a body that says to be something else than the route takes.
func hasType(r *http.Request, want string) error {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && got == want {
		return nil
	}
	return &refusal{status: http.StatusUnsupportedMediaType, code: "unsupported_type",
		title: "That is not sent as it should be", message: "Send it with the header Content-Type: " + want + "."}
}

func malformed(message string) error {
	return &refusal{status: http.StatusBadRequest, code: "malformed", title: "That cannot be read", message: message}
}
