package server

import (
	"context"
	"net/http"

	"github.com/ringoftowers/towers/server/check"
)

// format lays out a program as gofmt does, or says why it cannot.
func (s *Server) format(w http.ResponseWriter, r *http.Request) error {
	code, err := readCode(w, r, sourceLimit(0), false)
	if err != nil {
		return err
	}
	formatted, found, err := s.layOut(r.Context(), code)
	switch {
	case err != nil:
		return err
	case len(found) > 0:
		return sendJSON(w, r, http.StatusOK, map[string][]check.Diagnostic{"diagnostics": found})
	}
	return sendJSON(w, r, http.StatusOK, map[string]string{"code": formatted})
}

// layOut formats a program when it is its turn. Where that cannot be done it gives the program
// back as it was, with the reasons.
func (s *Server) layOut(ctx context.Context, code string) (string, []check.Diagnostic, error) {
	done, err := s.rates.format.enter(ctx)
	if err != nil {
		return "", nil, err
	}
	defer done()
	formatted, found := check.Format([]byte(code))
	if len(found) > 0 {
		return code, found, nil
	}
	return string(formatted), nil, nil
}
