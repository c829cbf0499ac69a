package server

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
	"github.com/ringoftowers/towers/server/store"
)

// site is a server with a real store and a queue that does what a test tells it.
type site struct {
	*Server
	kept  *store.Store
	queue *fakeQueue
	log   *bytes.Buffer
	off   string // why nothing is checked
	found []check.Diagnostic
}

func (s *site) Types(context.Context, check.Submission) ([]check.Diagnostic, error) {
	return s.found, nil
}

// workshop is a course with an exercise of each kind.
func workshop() library {
	return holding(&lessons.Lesson{
		Name: "03-the-ring", Number: 3, Title: "The ring", Level: lessons.Beginner,
		Exercises: []*lessons.Exercise{
			{
				ID: "owner", Number: 1, Title: "The owner", Kind: lessons.Code, Limits: lessons.Limits{Source: 1000},
				Start: "package exercise\n", Solution: "package exercise\n\nfunc Owner() {}\n", Checks: []string{"TestOwner"},
				Tests: "package exercise_test\n\nimport \"testing\"\n\nfunc TestOwner(t *testing.T) {}\n",
			},
			{ID: "seam", Number: 2, Title: "Test the seam", Kind: lessons.Tests, Start: "package exercise_test\n",
				Solution: "package exercise\n\nfunc Owner() {}\n", Tests: "package exercise_test\n\n// the answer\n"},
		},
	})
}

func newSite(tb testing.TB, l Library) *site {
	tb.Helper()
	kept, err := store.Open(tb.Context(), filepath.Join(tb.TempDir(), "towers.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := kept.Close(); err != nil {
			tb.Error(err)
		}
	})
	s := &site{kept: kept, log: new(bytes.Buffer)}
	s.queue = &fakeQueue{kept: kept, latest: map[string]jobs.Event{}, watches: map[string]map[*fakeWatch]bool{}}
	s.Server, err = New(Config{
		Library: l, Built: built(), Log: slog.New(slog.NewJSONHandler(&locked{to: s.log}, nil)),
		Store: kept, Queue: s.queue, Watch: s.queue.watch, Types: s, Checking: func() string { return s.off },
		Exercise: func(lesson string, e *lessons.Exercise) check.Exercise {
			return check.Exercise{Lesson: lesson, Name: e.ID, Kind: check.Kind(e.Kind), Limits: check.Limits{Source: e.Limits.Source}}
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// locked lets several goroutines log into one buffer.
type locked struct {
	mu sync.Mutex
	to *bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(p)
}

// fakeQueue keeps submissions in the store, as the real one does, and judges none by itself.
type fakeQueue struct {
	kept *store.Store
	fail error // what Submit says

	mu      sync.Mutex
	latest  map[string]jobs.Event
	watches map[string]map[*fakeWatch]bool
}

func (q *fakeQueue) Submit(ctx context.Context, s store.Submission) (jobs.Event, error) {
	if q.fail != nil {
		return jobs.Event{}, q.fail
	}
	if err := q.kept.AddSubmission(ctx, s, 0); err != nil {
		return jobs.Event{}, err
	}
	e, err := jobs.EventOf(s)
	e.Place = 1
	q.tell(e)
	return e, err
}

func (q *fakeQueue) Latest(id string) (jobs.Event, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, ok := q.latest[id]
	return e, ok
}

func (q *fakeQueue) Stats() jobs.Stats { return jobs.Stats{Waiting: 3, Judged: 7, Connected: true} }

// tell makes e the newest event of its submission.
func (q *fakeQueue) tell(e jobs.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.latest[e.Verdict.ID] = e
	for w := range q.watches[e.Verdict.ID] {
		w.put(e)
	}
}

// watched is how many watch a submission.
func (q *fakeQueue) watched(id string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.watches[id])
}

func (q *fakeQueue) watch(id string) Watch {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := &fakeWatch{queue: q, id: id, mail: make(chan jobs.Event, 1)}
	if q.watches[id] == nil {
		q.watches[id] = map[*fakeWatch]bool{}
	}
	q.watches[id][w] = true
	if e, ok := q.latest[id]; ok {
		w.put(e)
	}
	return w
}

type fakeWatch struct {
	queue *fakeQueue
	id    string
	mail  chan jobs.Event
}

func (w *fakeWatch) put(e jobs.Event) {
	select {
	case <-w.mail:
	default:
	}
	w.mail <- e
}

func (w *fakeWatch) C() <-chan jobs.Event { return w.mail }

func (w *fakeWatch) Close() {
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	delete(w.queue.watches[w.id], w)
}

// judge records a verdict and tells it.
func (s *site) judge(tb testing.TB, id string, outcome check.Outcome, tests ...check.Test) jobs.Event {
	tb.Helper()
	sub, err := s.kept.Submission(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	v := check.Verdict{ID: id, Lesson: sub.Lesson, Exercise: sub.Exercise, State: check.Done, Verdict: outcome, Tests: tests}
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	now := time.Now()
	if _, err := s.kept.Record(tb.Context(), id, string(outcome), text, now); err != nil {
		tb.Fatal(err)
	}
	e := jobs.Event{Seq: now.UnixMicro(), Verdict: v}
	s.queue.tell(e)
	return e
}

// A visitor is a browser with a cookie, once it has got one. What tells it from strangers, see
// [familiar], it keeps apart.
type visitor struct {
	tb       testing.TB
	to       http.Handler
	cookie   string
	familiar string
}

func (s *site) visitor(tb testing.TB) *visitor { return &visitor{tb: tb, to: s} }

// send sends a request; headers come as "Name: value".
func (v *visitor) send(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	if v.familiar != "" && strings.HasPrefix(r.URL.Path, familiarPath) {
		r.Header.Set("Cookie", strings.TrimPrefix(v.cookie+"; "+v.familiar, "; "))
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	v.to.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.Name == familiarCookie {
			v.familiar = c.Name + "=" + c.Value
		} else {
			v.cookie = c.Name + "=" + c.Value
		}
	}
	return w
}

// json sends JSON.
func (v *visitor) json(method, target string, body any) *httptest.ResponseRecorder {
	v.tb.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		v.tb.Fatal(err)
	}
	return v.send(method, target, string(text), "Content-Type: application/json")
}

const owner = "/api/lessons/03-the-ring/exercises/owner"

// submits sends a program and gives the submission's id.
func (v *visitor) submits(code string) string {
	v.tb.Helper()
	w := v.json("POST", owner+"/submissions", map[string]string{"code": code})
	if w.Code != 202 {
		v.tb.Fatalf("status %d, %s", w.Code, w.Body)
	}
	return strings.TrimPrefix(w.Header().Get("Location"), "/api/submissions/")
}

// instructor is a visitor who was made an instructor.
func (s *site) instructor(tb testing.TB) *visitor {
	tb.Helper()
	v := s.visitor(tb)
	sub, err := s.kept.Submission(tb.Context(), v.submits("package exercise // from the instructor"))
	if err != nil {
		tb.Fatal(err)
	}
	until := time.Now().Add(time.Hour)
	if err := s.kept.Invite(tb.Context(), []byte("hash"), until); err != nil {
		tb.Fatal(err)
	}
	if err := s.kept.Redeem(tb.Context(), []byte("hash"), sub.Learner, time.Now()); err != nil {
		tb.Fatal(err)
	}
	return v
}

// errorOf reads the code of an answer that is an error.
func errorOf(tb testing.TB, w *httptest.ResponseRecorder) string {
	tb.Helper()
	var answer struct {
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		tb.Errorf("status %d, no JSON: %v in\n%s", w.Code, err, w.Body)
	}
	return answer.Error.Code
}
