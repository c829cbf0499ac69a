//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

// A sheet is a program of the course as a learner hands it in, with what the course says that
// it deserves.
type sheet struct {
	program
	passes bool
	fails  []string // the tests that fail, all others passing; nil where the course names none
}

// sheets are count of the course's programs, right ones, wrong ones and what learners start
// from, each made a program of its own by a remark.
func sheets(tb testing.TB, count int) []sheet {
	tb.Helper()
	course, err := lessons.OpenEmbedded().Course(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	var all []sheet
	for _, l := range course.Lessons {
		for _, e := range l.Exercises {
			name := l.Name + "/" + e.ID
			right := e.Solution
			if e.Kind == lessons.Tests {
				right = e.Tests // there learners write the tests
			}
			all = append(all, sheet{program{name, "solution", right}, true, nil}, sheet{program{name, "start", e.Start}, false, nil})
			if e.Kind == lessons.Code {
				for _, w := range e.Wrong {
					all = append(all, sheet{program{name, w.Name, w.Source}, false, w.Fails})
				}
			}
		}
	}
	chosen := make([]sheet, count)
	for i := range chosen {
		chosen[i] = all[i%len(all)]
		chosen[i].code += fmt.Sprintf("\n// Learner %d of %d wrote this.\n", i, count)
	}
	return chosen
}

// fault says what is wrong with a verdict on the sheet, and "" of the right one.
func (s sheet) fault(v check.Verdict) string {
	if v.State != check.Done || (v.Verdict == check.Passed) != s.passes || len(v.Tests) == 0 {
		return fmt.Sprintf("%s of %s: %s with %d tests: %s", s.name, s.exercise, v.Verdict, len(v.Tests), v.Message)
	}
	for _, t := range v.Tests {
		failed, wanted := t.Status != check.Passed, slices.Contains(s.fails, t.Name)
		if (s.passes || s.fails != nil) && failed != wanted {
			return fmt.Sprintf("%s of %s: %s is %s", s.name, s.exercise, t.Name, t.Status)
		}
	}
	return ""
}

// A page is what a learner has open: a session, and a line by which news come.
type page struct {
	*visitor
	base string
	line *websocket.Conn
	came chan news // closed when the line is
	lost error     // why it is closed; valid then
}

// openPage opens a page with a session of its own, which is closed when the test ends.
func openPage(ctx context.Context, tb testing.TB, base string) (*page, error) {
	p := &page{visitor: newVisitor(tb), base: base}
	// A browser keeps its own connection open, and so costs the server one.
	transport := &http.Transport{MaxIdleConnsPerHost: 1}
	p.client.Transport = transport
	tb.Cleanup(transport.CloseIdleConnections)
	// Whoever has read a lesson is somebody, with a cookie.
	if a, err := p.do(ctx, http.MethodPost, base+"/api/lessons/03-the-ring/read", ""); err != nil || a.status != http.StatusNoContent {
		return nil, fmt.Errorf("read a lesson: status %d, %w", a.status, err)
	}
	if err := p.connect(ctx); err != nil {
		return nil, err
	}
	tb.Cleanup(func() {
		p.line.CloseNow()
		for range p.came { // until nothing reads any more
		}
	})
	return p, nil
}

// connect opens the page's line.
func (p *page) connect(ctx context.Context) error {
	line, answer, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(p.base, "http")+"/live", &websocket.DialOptions{HTTPClient: p.client})
	if err != nil {
		return fmt.Errorf("open a line (%v): %w", answer, err)
	}
	line.SetReadLimit(4 << 20)
	p.line, p.came = line, make(chan news, 64)
	go p.listen(ctx)
	return nil
}

// listen reads the line all the time, as a browser does: whoever hears no ping is cut off.
func (p *page) listen(ctx context.Context) {
	defer close(p.came)
	for {
		_, text, err := p.line.Read(ctx)
		var n news
		if err == nil {
			err = json.Unmarshal(text, &n)
		}
		if err != nil {
			p.lost = fmt.Errorf("read the line: %w", err)
			return
		}
		p.came <- n
	}
}

// news is what comes by the line.
type news struct {
	Type    string        `json:"type"`
	ID      string        `json:"id"`
	Seq     int64         `json:"seq"`
	Place   int           `json:"place"`
	Verdict check.Verdict `json:"submission"`
	HTML    string        `json:"html"`
}

func (p *page) watch(ctx context.Context, id string) error {
	return p.line.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"watch":%q,"as":"html"}`, id))
}

func (p *page) next(ctx context.Context) (news, error) {
	select {
	case n, open := <-p.came:
		if !open {
			return n, p.lost
		}
		return n, nil
	case <-ctx.Done():
		return news{}, fmt.Errorf("wait for news: %w", ctx.Err())
	}
}

// await reads the line until a submission's verdict comes, as the page shows it too.
func (p *page) await(ctx context.Context, id string) (check.Verdict, error) {
	var last int64
	for {
		n, err := p.next(ctx)
		switch {
		case err != nil:
			return check.Verdict{}, err
		case n.Type != "submission" || n.Verdict.ID != id || n.HTML == "":
			return check.Verdict{}, fmt.Errorf("waiting for %s came %+v", id, n)
		case n.Seq <= last:
			return check.Verdict{}, fmt.Errorf("news of %s came out of order: %d after %d", id, n.Seq, last)
		case n.Verdict.State == check.Done:
			return n.Verdict, nil
		}
		last = n.Seq
	}
}

// A mark is what came back for a sheet, and how long that took.
type mark struct {
	verdict check.Verdict
	took    time.Duration
	err     error
}

// handIn submits a sheet from a page and waits by its line for the verdict.
func (p *page) handIn(ctx context.Context, s sheet) (m mark) {
	began := time.Now()
	id, a, err := p.submit(ctx, p.base, s.exercise, s.code)
	if err != nil || id == "" {
		return mark{err: fmt.Errorf("submit: status %d, %w: %s", a.status, err, a.body)}
	}
	if err := p.watch(ctx, id); err != nil {
		return mark{err: err}
	}
	m.verdict, m.err = p.await(ctx, id)
	m.took = time.Since(began)
	return m
}

// read asks for a page as a browser does: compressed, and with all cookies.
func (p *page) read(ctx context.Context, path string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Accept-Encoding", "gzip, deflate, br")
	response, err := p.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, b}, err
}
