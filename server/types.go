package server

import (
	"fmt"
	"net/http"

	"github.com/ringoftowers/towers/server/check"
)

// findTypes says what the compiler would, while the learner still types. Where nothing can be
// checked there is nothing to say.
func (s *Server) findTypes(w http.ResponseWriter, r *http.Request) error {
	at, err := s.workplace(r)
	if err != nil {
		return err
	}
	code, err := readCode(w, r, at.limit(), false)
	if err != nil {
		return err
	}
	done, err := s.rates.types.enter(r.Context())
	if err != nil {
		return err
	}
	defer done()
	found, err := s.types.Types(r.Context(), check.Submission{Source: []byte(code), Exercise: at.checked})
	if err != nil {
		return fmt.Errorf("check the types of a program: %w", err)
	}
	return sendJSON(w, r, http.StatusOK, map[string][]check.Diagnostic{"diagnostics": listed(found)})
}

// listed makes an empty list a list in JSON too.
func listed(found []check.Diagnostic) []check.Diagnostic {
	if found == nil {
		return []check.Diagnostic{}
	}
	return found
}
