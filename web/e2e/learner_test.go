package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// A learner is somebody else at the same workshop, who needs no browser for what they do.
type learner struct {
	tb     testing.TB
	work   *workshop
	client http.Client
}

func newLearner(tb testing.TB, work *workshop) *learner {
	tb.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return &learner{tb: tb, work: work, client: http.Client{Jar: jar, Timeout: patience}}
}

// send sends a program in.
func (l *learner) send(page, code string) {
	l.tb.Helper()
	body, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		l.tb.Fatal(err)
	}
	answer, err := l.client.Post(l.work.url+"/api"+page+"/submissions", "application/json", strings.NewReader(string(body)))
	if err != nil {
		l.tb.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		l.tb.Fatalf("somebody else's program was not accepted: %s", answer.Status)
	}
}
