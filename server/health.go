package server

import (
	"fmt"
	"net/http"
	"strings"
)

// healthy says that the process answers, and nothing more: whoever runs it restarts it when
// this fails, which would mend no lesson.
func (s *Server) healthy(w http.ResponseWriter, r *http.Request) error {
	return plain(w, r, http.StatusOK, "ok\n")
}

// ready says whether a reader would get what he came for: a course, and pages that work.
// While it fails, a load balancer sends readers elsewhere.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	var reasons []string
	course, err := s.library.Course(r.Context())
	switch {
	case err != nil:
		reasons = append(reasons, fmt.Sprintf("the course cannot be read: %v", err))
	case len(course.Lessons) == 0:
		reasons = append(reasons, "the course has no lesson")
	}
	if names := s.missing(); len(names) > 0 {
		reasons = append(reasons, "built files are missing: "+strings.Join(names, ", "))
	}
	if len(reasons) > 0 {
		return plain(w, r, http.StatusServiceUnavailable, strings.Join(reasons, "\n")+"\n")
	}
	return plain(w, r, http.StatusOK, "ready\n")
}

// robots lets every crawler in: all there is here is meant to be found.
func robots(w http.ResponseWriter, r *http.Request) error {
	return plain(w, r, http.StatusOK, "User-agent: *\nAllow: /\n")
}

func plain(w http.ResponseWriter, r *http.Request, status int, text string) error {
	return send(w, r, status, "text/plain; charset=utf-8", []byte(text))
}
