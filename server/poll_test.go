package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// polled reads the answer of a poll.
func polled(tb testing.TB, text []byte) news {
	tb.Helper()
	var n news
	if err := json.Unmarshal(text, &n); err != nil {
		tb.Fatalf("%v in\n%s", err, text)
	}
	return n
}

func TestPollAnswersAtOnceWhatIsKnown(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	now := time.Now().UnixMicro()
	s.queue.tell(atWork(id, now, check.Test{Name: "TestOwner", Status: check.Failed, Output: "<b>no</b>"}))
	for _, c := range []struct {
		query string
		html  bool
	}{{"?after=0", false}, {fmt.Sprint("?after=", now-1), false}, {"?after=0&as=html", true}} {
		w := v.send("GET", "/api/submissions/"+id+c.query, "")
		n := polled(t, w.Body.Bytes())
		if w.Code != 200 || n.Seq != now || n.Submission.State != check.Running || (n.HTML != "") != c.html {
			t.Errorf("%s: status %d, %s", c.query, w.Code, w.Body)
		}
		if strings.Contains(n.HTML, "<b>") {
			t.Errorf("%s: what the program printed is markup:\n%s", c.query, n.HTML)
		}
	}
	s.judge(t, id, check.Passed)
	for _, after := range []int64{0, now, now + 1e12} {
		w := v.send("GET", fmt.Sprintf("/api/submissions/%s?after=%d", id, after), "")
		if n := polled(t, w.Body.Bytes()); n.Submission.Verdict != check.Passed {
			t.Errorf("judged, after %d: %s", after, w.Body)
		}
	}
	if w := v.send("GET", "/api/submissions/"+id+"?after=soon", ""); w.Code != 400 || errorOf(t, w) != "malformed" {
		t.Errorf("?after=soon: status %d, %s", w.Code, w.Body)
	}
}

// The plain address has the submission's own JSON, as the design of the API has it.
func TestSubmissionAsJSON(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	var sub check.Verdict
	w := v.send("GET", "/api/submissions/"+id, "")
	if err := json.Unmarshal(w.Body.Bytes(), &sub); err != nil || sub.ID != id || sub.State != check.Queued || sub.Diagnostics == nil || sub.Tests == nil {
		t.Errorf("waiting it is %s, %v", w.Body, err)
	}
	s.judge(t, id, check.Passed, check.Test{Name: "TestOwner", Status: check.Passed})
	delete(s.queue.latest, id)
	w = v.send("GET", "/api/submissions/"+id, "")
	if err := json.Unmarshal(w.Body.Bytes(), &sub); err != nil || sub.Verdict != check.Passed || len(sub.Tests) != 1 {
		t.Errorf("judged it is %s, %v", w.Body, err)
	}
}

func TestSubmissionIsItsOwners(t *testing.T) {
	s := newSite(t, workshop())
	mine := s.visitor(t)
	id := mine.submits("x")
	other := s.visitor(t)
	other.submits("y")
	boss := s.instructor(t)
	nothing := s.visitor(t).send("GET", "/api/submissions/nothing", "").Body.String()
	for _, c := range []struct {
		name   string
		who    *visitor
		status int
	}{{"the owner", mine, 200}, {"another", other, 404}, {"somebody new", s.visitor(t), 404}, {"an instructor", boss, 200}} {
		for _, target := range []string{"/api/submissions/" + id, "/api/submissions/" + id + "?after=0", "/lessons/03-the-ring/exercises/owner?try=" + id} {
			w := c.who.send("GET", target, "")
			if w.Code != c.status {
				t.Errorf("%s at %s: status %d, want %d", c.name, target, w.Code, c.status)
			}
			if strings.HasPrefix(target, "/api/") && w.Code == 404 && w.Body.String() != nothing {
				t.Errorf("%s can tell what is there from what is not:\n%s\n%s", c.name, w.Body, nothing)
			}
		}
	}
}

func TestPollWaitsForNews(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	e, _ := s.queue.Latest(id)
	r := start(t, s.Server)
	answers := v.polls(r.address, id, e.Seq)
	waitFor(t, func() bool { return s.queue.watched(id) == 1 })
	s.judge(t, id, check.Passed)
	if a := <-answers; a.Submission.Verdict != check.Passed {
		t.Errorf("the answer is %+v", a)
	}
	waitFor(t, func() bool { return s.queue.watched(id) == 0 })
}

// A session that was opened with an older password is nobody's.
func TestSubmissionIsNotForOldSessions(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	sub, err := s.kept.Submission(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.kept.Register(t.Context(), sub.Learner, "Ann", "the hash of a password"); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"/api/submissions/" + id, ownerPage + "?try=" + id} {
		if w := v.send("GET", target, ""); w.Code != 404 {
			t.Errorf("%s: status %d", target, w.Code)
		}
	}
	l := mustDial(t, start(t, s.Server).address, v.cookie)
	l.says(`{"watch":"` + id + `"}`)
	if n := l.mustNext(); n.Type != "gone" {
		t.Errorf("by the socket comes %+v", n)
	}
}

// A server that stops lets nobody wait.
func TestStopAnswersPolls(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	e, _ := s.queue.Latest(id)
	r := start(t, s.Server)
	answers := v.polls(r.address, id, e.Seq)
	waitFor(t, func() bool { return s.queue.watched(id) == 1 })
	r.stop()
	if a := <-answers; a.Seq != e.Seq || a.Submission.State != check.Queued {
		t.Errorf("the answer is %+v", a)
	}
	if err := <-r.stopped; err != nil {
		t.Errorf("Serve returned %v", err)
	}
}

// polls asks a running server for news of a submission.
func (v *visitor) polls(address, id string, after int64) <-chan news {
	answers := make(chan news, 1)
	go func() {
		defer close(answers)
		target := fmt.Sprintf("http://%s/api/submissions/%s?after=%d", address, id, after)
		req, err := http.NewRequestWithContext(v.tb.Context(), "GET", target, nil)
		if err != nil {
			v.tb.Error(err)
			return
		}
		req.Header.Set("Cookie", v.cookie)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			v.tb.Error(err)
			return
		}
		defer resp.Body.Close()
		var n news
		if err := json.NewDecoder(resp.Body).Decode(&n); err != nil {
			v.tb.Error(err)
		}
		answers <- n
	}()
	return answers
}
