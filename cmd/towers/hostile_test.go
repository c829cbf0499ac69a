//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ringoftowers/towers/server/check"
)

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
	arrived := time.Now().UnixMicro()
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
		// A verdict's number is the time at which it was recorded, in microseconds.
		if arrived < n.Seq && n.Seq < end.Seq {
			before++
		}
	}
	// Twice as many as are checked at once had been handed to the checker already, and one
	// more may overtake on the other processor.
	if most := 2*2 + 1; before > most {
		t.Errorf("%d of the %d came between the other learner's only one and its verdict, want at most %d", before, len(taken), most)
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
