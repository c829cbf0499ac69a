//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringoftowers/towers/server/check"
)

// someone is a visitor whom the server knows already, so that what they do at once is done by
// one and the same.
func someone(t testing.TB, base string) *visitor {
	t.Helper()
	v := newVisitor(t)
	if a, err := v.do(t.Context(), http.MethodPost, base+"/api/lessons/03-the-ring/read", ""); err != nil || a.status != http.StatusNoContent {
		t.Fatalf("read a lesson: status %d, %v", a.status, err)
	}
	return v
}

// tries are the ids of what somebody has sent in for an exercise, the newest first.
func (v *visitor) tries(ctx context.Context, base, exercise string) ([]string, error) {
	lesson, name, _ := strings.Cut(exercise, "/")
	a, err := v.do(ctx, http.MethodGet, base+"/api/lessons/"+lesson+"/exercises/"+name+"/submissions", "")
	if err != nil {
		return nil, err
	}
	var list struct {
		Tries []struct {
			ID string `json:"id"`
		} `json:"tries"`
	}
	if err := json.Unmarshal(a.body, &list); err != nil {
		return nil, fmt.Errorf("status %d, %q: %w", a.status, a.body, err)
	}
	ids := make([]string, len(list.Tries))
	for i, t := range list.Tries {
		ids[i] = t.ID
	}
	return ids, nil
}

// event asks for the news of a submission, and gives the newest.
func (v *visitor) event(ctx context.Context, base, id string) (news, error) {
	a, err := v.do(ctx, http.MethodGet, base+"/api/submissions/"+id+"?after=0", "")
	if err != nil {
		return news{}, err
	}
	var n news
	if err := json.Unmarshal(a.body, &n); err != nil {
		return news{}, fmt.Errorf("status %d, %q: %w", a.status, a.body, err)
	}
	return n, nil
}

// The same program twice at the same moment is two submissions, each with its one verdict, and
// both verdicts say the same.
func TestSameSourceAtTheSameMoment(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data)
	name, e := anExercise(t)
	ada := someone(t, p.base)
	code := e.Solution + "\n// Twice.\n"
	ids := make([]string, 2)
	var both sync.WaitGroup
	for i := range ids {
		both.Go(func() {
			id, a, err := ada.submit(t.Context(), p.base, name, code)
			if err != nil || id == "" {
				t.Errorf("status %d, %v: %s", a.status, err, a.body)
			}
			ids[i] = id
		})
	}
	both.Wait()
	if ids[0] == ids[1] {
		t.Fatalf("both are submission %s", ids[0])
	}
	verdicts := make([]check.Verdict, 2)
	for i, id := range ids {
		judged(t, ada, p, id, check.Passed)
		var err error
		if verdicts[i], err = ada.verdict(t.Context(), p.base, id); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(verdicts[0], verdicts[1], sameVerdict); diff != "" {
		t.Errorf("the verdicts differ:\n%s", diff)
	}
	p.stop(t)
	onceJudged(t, data, []program{{name, "", code}, {name, "", code}}, verdicts)
}

// Whoever closes the page right after sending finds the verdict later.
func TestPageClosedRightAfterSending(t *testing.T) {
	p := serveOn(t, dataWithToolchain(t))
	name, e := anExercise(t)
	ada := someone(t, p.base)
	lesson, exercise, _ := strings.Cut(name, "/")
	body, err := json.Marshal(map[string]string{"code": e.Solution + "\n// And gone.\n"})
	if err != nil {
		t.Fatal(err)
	}
	home, err := url.Parse(p.base)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", home.Host)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "POST /api/lessons/%s/exercises/%s/submissions HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		lesson, exercise, home.Host, ada.client.Jar.Cookies(home)[0], len(body), body)
	if err := errors.Join(err, conn.Close()); err != nil {
		t.Fatal(err)
	}
	var ids []string
	err = eventually(t.Context(), 20*time.Second, func() (bool, error) {
		ids, err = ada.tries(t.Context(), p.base, name)
		return len(ids) == 1, err
	})
	if err != nil {
		t.Fatalf("the tries are %q: %v", ids, err)
	}
	judged(t, ada, p, ids[0], check.Passed)
	p.stop(t)
}

// One learner sends fifty programs at once. Some are taken and the others told when to come
// again; another learner's only one does not wait for them.
func TestFiftyAtOnceFromOneLearner(t *testing.T) {
	p := serveOn(t, dataWithToolchain(t), "--parallel=2")
	name, e := anExercise(t)
	eager, patient := someone(t, p.base), someone(t, p.base)
	var mu sync.Mutex
	var taken []string
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			id, a, err := eager.submit(t.Context(), p.base, name, fmt.Sprintf("%s\n// One of fifty: %d.\n", e.Solution, i))
			mu.Lock()
			defer mu.Unlock()
			if id != "" {
				taken = append(taken, id)
				return
			}
			wait, convErr := strconv.Atoi(a.header.Get("Retry-After"))
			if err != nil || a.status != http.StatusTooManyRequests || convErr != nil || wait < 1 || !strings.Contains(string(a.body), `"busy"`) {
				t.Errorf("status %d, Retry-After %q, %v: %s", a.status, a.header.Get("Retry-After"), err, a.body)
			}
		})
	}
	all.Wait()
	t.Logf("%d of 50 were taken", len(taken))
	if len(taken) < share || len(taken) > 2*share {
		t.Errorf("%d were taken, want about %d", len(taken), share)
	}
	mine := accepted(t, patient, p, name, e.Solution+"\n// My only one.\n")
	judged(t, patient, p, mine, check.Passed)
	end, err := patient.event(t.Context(), p.base, mine)
	if err != nil {
		t.Fatal(err)
	}
	before := 0
	for _, id := range taken {
		judged(t, eager, p, id, check.Passed)
		n, err := eager.event(t.Context(), p.base, id)
		if err != nil {
			t.Fatal(err)
		}
		if n.Seq < end.Seq { // a verdict's number is the time at which it was recorded
			before++
		}
	}
	if before > len(taken)/2 {
		t.Errorf("%d of the %d came before the other learner's only one", before, len(taken))
	}
	p.stop(t)
}

// Told to stop while it checks, the server ends within its time of grace, and whoever starts it
// again finds every verdict.
func TestStoppedWhileChecking(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data, "--parallel=2")
	name, e := anExercise(t)
	ada := someone(t, p.base)
	var sent []program
	var ids []string
	for i := range share / 2 {
		code := fmt.Sprintf("%s%s\n// %d\n", e.Solution, dawdling, i)
		sent, ids = append(sent, program{name, "slow", code}), append(ids, accepted(t, ada, p, name, code))
	}
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		v, err := ada.verdict(t.Context(), p.base, ids[0])
		return v.State == check.Running, err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := time.Now()
	p.stop(t)
	if took := time.Since(told); took > 12*time.Second {
		t.Errorf("it took %v to stop", took)
	}
	p = serveOn(t, data, "--parallel=2")
	verdicts := make([]check.Verdict, len(ids))
	for i, id := range ids {
		judged(t, ada, p, id, check.Passed)
		if verdicts[i], err = ada.verdict(t.Context(), p.base, id); err != nil {
			t.Fatal(err)
		}
	}
	p.stop(t)
	onceJudged(t, data, sent, verdicts)
}

// postForm sends a form and follows no redirect.
func (v *visitor) postForm(ctx context.Context, address string, fields ...string) (answer, error) {
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(values.Encode()))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := *v.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, b}, err
}

const password = "four words in a row"

// form sends a form that has to lead somewhere.
func (v *visitor) form(t testing.TB, address string, fields ...string) {
	t.Helper()
	if a, err := v.postForm(t.Context(), address, fields...); err != nil || a.status != http.StatusSeeOther {
		t.Fatalf("%s: status %d, %v: %s", address, a.status, err, a.body)
	}
}

// copied is another browser with the same cookies: what somebody has who stole them, or who
// was quick enough to use them twice.
func (v *visitor) copied(t testing.TB, base string) *visitor {
	t.Helper()
	home, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(home, v.client.Jar.Cookies(home))
	return &visitor{&http.Client{Jar: jar, Timeout: v.client.Timeout}}
}

// Whoever signs in while programs are checked that they sent as a guest gets the verdicts all
// the same, and from then on they belong to the account.
func TestSigningInWhileCheckingKeepsTheVerdicts(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data, "--parallel=1")
	name, e := anExercise(t)
	elsewhere := newVisitor(t)
	elsewhere.form(t, p.base+"/account/sign-up", "name", "Ada", "password", password)

	watching, err := openPage(t.Context(), t, p.base)
	if err != nil {
		t.Fatal(err)
	}
	here := watching.visitor
	var ids []string
	for i := range share - 1 {
		ids = append(ids, accepted(t, here, p, name, fmt.Sprintf("%s\n// As a guest: %d.\n", e.Solution, i)))
	}
	last := ids[len(ids)-1]
	if err := watching.watch(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	// While the password is compared, the guest goes on sending.
	guest := here.copied(t, p.base)
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range 200 {
			id, a, err := guest.submit(t.Context(), p.base, name, fmt.Sprintf("%s\n// Meanwhile: %d.\n", e.Solution, i))
			switch {
			case err != nil || a.status >= 500:
				t.Errorf("while signing in: status %d, %v: %s", a.status, err, a.body)
				return
			case id == "":
			case guest.owns(t, p.base, id):
				ids = append(ids, id)
			}
			home, _ := url.Parse(p.base)
			if guest.client.Jar.Cookies(home)[0].Value != here.client.Jar.Cookies(home)[0].Value {
				return // it has another session since, of a new guest
			}
		}
	})
	here.form(t, p.base+"/account/sign-in", "name", "Ada", "password", password)
	sending.Wait()

	for _, id := range ids[:share-1] {
		judged(t, elsewhere, p, id, check.Passed)
		judged(t, here, p, id, check.Passed)
	}
	if v, err := watching.await(t.Context(), last); err != nil || v.Verdict != check.Passed {
		t.Errorf("by the line that was open all the time: %v, %+v", err, v)
	}
	tries, err := elsewhere.tries(t.Context(), p.base, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[:share-1] {
		if !slices.Contains(tries, id) {
			t.Errorf("submission %s is not among the account's tries %q", id, tries)
		}
	}
	drained(t, p)
	p.stop(t)
	calm(t, p)
}

// drained waits until nothing is in the queue.
func drained(t testing.TB, p *process) {
	t.Helper()
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		a, err := newVisitor(t).do(t.Context(), http.MethodGet, p.base+"/metrics", "")
		return strings.Contains(string(a.body), "towers_queue_waiting 0\n") && strings.Contains(string(a.body), "towers_queue_under_way 0\n"), err
	})
	if err != nil {
		t.Errorf("the queue is not empty: %v", err)
	}
}

func (v *visitor) owns(t testing.TB, base, id string) bool {
	_, err := v.verdict(t.Context(), base, id)
	return err == nil
}

// Whoever deletes their account while their programs wait and are checked is gone at once; the
// queue drops the programs without a fuss, and others go on.
func TestDeletingWhileChecking(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data, "--parallel=2")
	name, e := anExercise(t)
	leaving := newVisitor(t)
	leaving.form(t, p.base+"/account/sign-up", "name", "Leaving", "password", password)
	var ids []string
	for i := range share / 2 {
		ids = append(ids, accepted(t, leaving, p, name, fmt.Sprintf("%s%s\n// %d\n", e.Solution, dawdling, i)))
	}
	err := eventually(t.Context(), time.Minute, func() (bool, error) {
		v, err := leaving.verdict(t.Context(), p.base, ids[0])
		return v.State == check.Running, err
	})
	if err != nil {
		t.Fatal(err)
	}
	// More come in at the very moment of leaving.
	var sending sync.WaitGroup
	for i := range 3 {
		late := leaving.copied(t, p.base)
		sending.Go(func() {
			for n := range 5 {
				draft, err := late.do(t.Context(), http.MethodPut, p.base+"/api/lessons/"+strings.Replace(name, "/", "/exercises/", 1)+"/draft",
					fmt.Sprintf(`{"code":"draft %d %d"}`, i, n))
				if err != nil || draft.status >= 500 {
					t.Errorf("a draft while deleting: status %d, %v: %s", draft.status, err, draft.body)
					return
				}
				_, sent, err := late.submit(t.Context(), p.base, name, fmt.Sprintf("%s\n// Late: %d %d.\n", e.Start, i, n))
				if err != nil || sent.status >= 500 {
					t.Errorf("a program while deleting: status %d, %v: %s", sent.status, err, sent.body)
					return
				}
			}
		})
	}
	defer sending.Wait()
	leaving.form(t, p.base+"/account/delete", "confirm", "Leaving", "password", password)
	sending.Wait()
	other := someone(t, p.base)
	judged(t, other, p, accepted(t, other, p, name, e.Solution+"\n// Another learner's.\n"), check.Passed)
	for _, id := range ids {
		if a, err := other.do(t.Context(), http.MethodGet, p.base+"/api/submissions/"+id, ""); err != nil || a.status != http.StatusNotFound {
			t.Errorf("a deleted learner's submission: status %d, %v", a.status, err)
		}
	}
	drained(t, p) // it has forgotten them too
	p.stop(t)
	calm(t, p)
}

// calm looks into a server's log for anything that went wrong.
func calm(t testing.TB, p *process) {
	t.Helper()
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`) {
			t.Errorf("the log says: %s", line)
		}
	}
}
