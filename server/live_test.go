package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/server/check"
	"github.com/ringoftowers/towers/server/jobs"
)

// news is a message as a page reads it.
type news struct {
	Type, ID, HTML string
	Seq            int64
	Place          int
	Submission     check.Verdict
}

// line is a page's socket.
type line struct {
	tb   testing.TB
	conn *websocket.Conn
}

// dial opens a socket with a visitor's cookie; headers come as "Name: value".
func dial(tb testing.TB, address, cookie string, headers ...string) (*line, *http.Response, error) {
	tb.Helper()
	h := http.Header{}
	if cookie != "" {
		h.Set("Cookie", cookie)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		h.Set(name, value)
	}
	conn, resp, err := websocket.Dial(tb.Context(), "ws://"+address+"/live", &websocket.DialOptions{HTTPHeader: h})
	if err != nil {
		return nil, resp, err
	}
	conn.SetReadLimit(1 << 20)
	tb.Cleanup(func() { conn.CloseNow() })
	return &line{tb, conn}, resp, nil
}

func mustDial(tb testing.TB, address, cookie string) *line {
	tb.Helper()
	l, _, err := dial(tb, address, cookie)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func (l *line) says(text string) {
	l.tb.Helper()
	if err := l.conn.Write(l.tb.Context(), websocket.MessageText, []byte(text)); err != nil {
		l.tb.Fatal(err)
	}
}

// next reads a message; without one the test is over after 20 seconds.
func (l *line) next() (news, error) {
	ctx, cancel := context.WithTimeout(l.tb.Context(), 20*time.Second)
	defer cancel()
	_, text, err := l.conn.Read(ctx)
	if err != nil {
		return news{}, err
	}
	var n news
	return n, json.Unmarshal(text, &n)
}

func (l *line) mustNext() news {
	l.tb.Helper()
	n, err := l.next()
	if err != nil {
		l.tb.Fatal(err)
	}
	return n
}

// atWork is how a submission stands while its tests run.
func atWork(id string, seq int64, done ...check.Test) jobs.Event {
	return jobs.Event{Seq: seq, Verdict: check.Verdict{ID: id, Lesson: "03-the-ring", Exercise: "owner", State: check.Running, Tests: done}}
}

func TestLiveTellsEachStep(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	l := mustDial(t, start(t, s.Server).address, v.cookie)
	l.says(`{"watch":"` + id + `","after":0,"as":"html"}`)
	if n := l.mustNext(); n.Type != "submission" || n.Submission.ID != id || n.Submission.State != check.Queued || n.Place != 1 || n.HTML == "" {
		t.Errorf("first comes %+v", n)
	}
	hostile := check.Test{Name: "TestOwner", Status: check.Failed, Output: "<script>alert(1)</script>"}
	s.queue.tell(atWork(id, time.Now().UnixMicro(), hostile))
	n := l.mustNext()
	if n.Submission.State != check.Running || len(n.Submission.Tests) != 1 {
		t.Errorf("then comes %+v", n)
	}
	if strings.Contains(n.HTML, "<script>") {
		t.Errorf("what a learner's program printed is markup:\n%s", n.HTML)
	}
	s.judge(t, id, check.Failed, hostile)
	if n := l.mustNext(); n.Submission.State != check.Done || n.Submission.Verdict != check.Failed {
		t.Errorf("at last comes %+v", n)
	}
	waitFor(t, func() bool { return s.queue.watched(id) == 0 })
}

// A page that was away gets what it missed, and only that.
func TestLiveResumes(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	address := start(t, s.Server).address
	now := time.Now().UnixMicro()
	s.queue.tell(atWork(id, now))
	l := mustDial(t, address, v.cookie)
	l.says(fmt.Sprintf(`{"watch":%q,"after":%d}`, id, now-1))
	if n := l.mustNext(); n.Seq != now || n.HTML != "" {
		t.Errorf("after what came before: %+v", n)
	}
	l.conn.CloseNow()

	l = mustDial(t, address, v.cookie)
	l.says(fmt.Sprintf(`{"watch":%q,"after":%d}`, id, now))
	waitFor(t, func() bool { return s.queue.watched(id) == 1 })
	last := s.judge(t, id, check.Passed)
	if n := l.mustNext(); n.Submission.Verdict != check.Passed || n.Seq != last.Seq {
		t.Errorf("after the newest: %+v", n)
	}
	l.conn.CloseNow()

	// Judged while nobody looked, and the queue has forgotten it: the store has not.
	delete(s.queue.latest, id)
	l = mustDial(t, address, v.cookie)
	for _, after := range []int64{0, last.Seq - 1, last.Seq, last.Seq + 1_000_000} {
		l.says(fmt.Sprintf(`{"watch":%q,"after":%d}`, id, after))
		if n := l.mustNext(); n.Submission.Verdict != check.Passed {
			t.Errorf("after %d: %+v", after, n)
		}
	}
}

// Whoever reads slowly misses steps, and never the end.
func TestLiveSkipsToTheNewest(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	id := v.submits("x")
	l := mustDial(t, start(t, s.Server).address, v.cookie)
	l.says(`{"watch":"` + id + `"}`)
	waitFor(t, func() bool { return s.queue.watched(id) == 1 })
	began := time.Now().UnixMicro()
	for i := range 10_000 {
		s.queue.tell(atWork(id, began+int64(i)))
	}
	last := atWork(id, began+10_000)
	last.Verdict.State, last.Verdict.Verdict = check.Done, check.Passed
	s.queue.tell(last)
	seen := int64(0)
	for {
		n := l.mustNext()
		if n.Seq <= seen {
			t.Fatalf("after event %d comes %d", seen, n.Seq)
		}
		if seen = n.Seq; n.Submission.State == check.Done {
			return
		}
	}
}

func TestLiveKeepsSubmissionsApart(t *testing.T) {
	s := newSite(t, workshop())
	mine, other := s.visitor(t), s.visitor(t)
	id, theirs := mine.submits("x"), other.submits("y")
	boss := s.instructor(t)
	address := start(t, s.Server).address
	for _, c := range []struct {
		name, cookie, id string
		want             string
	}{
		{"mine", mine.cookie, id, "submission"},
		{"somebody else's", mine.cookie, theirs, "gone"},
		{"with a made up session", "towers=" + strings.Repeat("a", 43), id, "gone"},
		{"one that is not there", mine.cookie, "nothing", "gone"},
		{"an instructor", boss.cookie, theirs, "submission"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := mustDial(t, address, c.cookie)
			l.says(`{"watch":"` + c.id + `"}`)
			n := l.mustNext()
			if n.Type != c.want || c.want == "gone" && (n.ID != c.id || n.Submission.ID != "") {
				t.Errorf("comes %+v, want %s", n, c.want)
			}
		})
	}
}

// Where there is no room for a socket the page is sent to the other way.
func TestLiveHasRoomForSoMany(t *testing.T) {
	s := newSite(t, workshop())
	s.sockets.most = 1
	address := start(t, s.Server).address
	l := mustDial(t, address, "")
	if _, resp, err := dial(t, address, ""); err == nil || resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("the second: %v, %v", resp, err)
	}
	l.conn.CloseNow()
	waitFor(t, func() bool { return s.sockets.count() == 0 })
	mustDial(t, address, "")
}

// One session cannot take the room of all others.
func TestLiveHasRoomForSoManyOfEach(t *testing.T) {
	s := newSite(t, workshop())
	s.sockets.mostOf = 2
	address := start(t, s.Server).address
	ada, eve := s.visitor(t), s.visitor(t)
	ada.submits("for the cookie")
	eve.submits("for the cookie")
	first := mustDial(t, address, ada.cookie)
	mustDial(t, address, ada.cookie)
	if _, resp, err := dial(t, address, ada.cookie); err == nil || resp.StatusCode != 503 {
		t.Errorf("the third of one session: %v, %v", resp, err)
	}
	mustDial(t, address, eve.cookie)
	for range 3 {
		mustDial(t, address, "")
	}
	first.conn.CloseNow()
	waitFor(t, func() bool { return s.sockets.count() == 5 })
	mustDial(t, address, ada.cookie)
}

// A line that was opened before there was a session is no use for watching: the page opens
// another, which has one.
func TestLiveWithoutSession(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	l := mustDial(t, start(t, s.Server).address, "")
	l.says(`{"watch":"` + v.submits("x") + `"}`)
	if n, err := l.next(); websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
		t.Errorf("comes %+v, %v", n, err)
	}
}

// Permission is a matter of the moment: a session that has ended since sees nothing new.
func TestLiveAsksForTheSessionEachTime(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	first, second := v.submits("x"), v.submits("y")
	l := mustDial(t, start(t, s.Server).address, v.cookie)
	l.says(`{"watch":"` + first + `"}`)
	if n := l.mustNext(); n.Type != "submission" {
		t.Fatalf("comes %+v", n)
	}
	_, token, _ := strings.Cut(v.cookie, "=")
	if err := s.door.sessions.Store.Delete(token); err != nil {
		t.Fatal(err)
	}
	l.says(`{"watch":"` + second + `"}`)
	if n := l.mustNext(); n.Type != "gone" {
		t.Errorf("after the session has ended comes %+v", n)
	}
}

func TestLiveRefusesOtherSites(t *testing.T) {
	s := newSite(t, workshop())
	address := start(t, s.Server).address
	for _, c := range []struct {
		header string
		status int
	}{
		{"Origin: https://elsewhere.example", 403},
		{"Origin: http://" + address + ".elsewhere.example", 403},
		{"Origin: null", 403},
		{"Sec-Fetch-Site: cross-site", 403},
		{"Sec-Fetch-Site: same-site", 403},
		{"Origin: http://" + address, 101},
		{"Sec-Fetch-Site: same-origin", 101},
		{"X-Nothing: said", 101},
	} {
		_, resp, err := dial(t, address, "", c.header)
		if resp == nil || resp.StatusCode != c.status {
			t.Errorf("with %s: %v, %v; want status %d", c.header, resp, err, c.status)
		}
	}
	if w := ask(s, "GET", "/live"); w.Code != 426 || errorOf(t, w) != "upgrade_required" {
		t.Errorf("a plain look at /live: status %d, %s", w.Code, w.Body)
	}
}
