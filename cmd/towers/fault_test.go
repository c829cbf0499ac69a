//go:build unix

package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	_ "modernc.org/sqlite"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/server/check"
)

// A program is something a learner might send in.
type program struct {
	exercise string // "03-the-ring/owner"
	name     string // the file it is in
	code     string
}

// programs are count of those that come with the course, right and wrong ones, each made a
// program of its own by a remark, so that no verdict is taken from a cache.
func programs(t testing.TB, random *rand.Rand, count int) []program {
	t.Helper()
	course, err := lessons.OpenEmbedded().Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []program
	for _, l := range course.Lessons {
		for _, e := range l.Exercises {
			name := l.Name + "/" + e.ID
			all = append(all, program{name, "solution", e.Solution}, program{name, "broken", e.Start + "\nfunc {\n"})
			if e.Kind != lessons.Code {
				all[len(all)-2].code = e.Tests // there a program is what is tested
				continue
			}
			for _, w := range e.Wrong {
				all = append(all, program{name, w.Name, w.Source})
			}
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	chosen := make([]program, count)
	for i := range chosen {
		chosen[i] = all[i%len(all)]
		chosen[i].code += fmt.Sprintf("\n// The %dth.\n", i)
	}
	return chosen
}

// A class sends programs in, each learner some of them, whatever becomes of the server.
type class struct {
	learners []*visitor
	programs []program

	mu   sync.Mutex
	base string // of the server that runs now
	ids  []string
}

// newClass has few enough programs for each learner that nobody is told to wait.
func newClass(t *testing.T, p *process, programs []program) *class {
	c := &class{programs: programs, base: p.base, ids: make([]string, len(programs))}
	for range (len(programs) + 3) / 4 {
		c.learners = append(c.learners, newVisitor(t))
	}
	return c
}

func (c *class) server() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.base
}

func (c *class) moved(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base = p.base
}

// run sends every program in and waits for the verdicts.
func (c *class) run(ctx context.Context) ([]check.Verdict, error) {
	for i := range c.programs {
		if err := c.send(ctx, i); err != nil {
			return nil, err
		}
	}
	verdicts := make([]check.Verdict, len(c.programs))
	for i, p := range c.programs {
		err := eventually(ctx, 3*time.Minute, func() (bool, error) {
			v, err := c.learners[i%len(c.learners)].verdict(ctx, c.server(), c.ids[i])
			verdicts[i] = v
			return err == nil && v.State == check.Done, nil
		})
		if err != nil {
			return nil, fmt.Errorf("the verdict on %s of %s: %w", p.name, p.exercise, err)
		}
	}
	return verdicts, nil
}

// send sends a program in until it is accepted: who got no answer does not know whether it was.
func (c *class) send(ctx context.Context, i int) error {
	p := c.programs[i]
	err := eventually(ctx, time.Minute, func() (bool, error) {
		id, a, err := c.learners[i%len(c.learners)].submit(ctx, c.server(), p.exercise, p.code)
		if err == nil && a.status != http.StatusAccepted && a.status < 500 {
			return false, fmt.Errorf("status %d: %s", a.status, a.body)
		}
		c.ids[i] = id
		return id != "", nil
	})
	if err != nil {
		return fmt.Errorf("send %s of %s: %w", p.name, p.exercise, err)
	}
	return nil
}

// sameVerdict compares all that a learner is told but how long it took and under which number.
var sameVerdict = cmp.Options{
	cmpopts.IgnoreFields(check.Verdict{}, "ID", "ElapsedMS", "Parts"),
	cmpopts.IgnoreFields(check.Test{}, "ElapsedMS"),
}

// What was accepted gets one verdict, the right one, though the server is killed again and
// again: while it accepts, while it builds, while it runs, and just after.
func TestKilledServerLosesNothing(t *testing.T) {
	const count, seed = 60, 3
	random := rand.New(rand.NewPCG(seed, seed))
	sent := programs(t, random, count)
	want := undisturbed(t, sent)

	data := dataWithToolchain(t)
	p := serveOn(t, data)
	c := newClass(t, p, sent)
	var got []check.Verdict
	var failed error
	over := make(chan struct{})
	go func() {
		defer close(over)
		got, failed = c.run(t.Context())
	}()
	kills := 0
	for kills < 12 && !ended(over, time.Duration(200+random.IntN(3000))*time.Millisecond) {
		p.kill()
		kills++
		p = serveOn(t, data)
		c.moved(p)
	}
	<-over
	if failed != nil {
		t.Fatal(failed)
	}
	t.Logf("killed %d times", kills)
	if kills < 3 {
		t.Errorf("the server was killed %d times only: that shows nothing", kills)
	}
	for i := range want {
		if diff := cmp.Diff(want[i], got[i], sameVerdict); diff != "" {
			t.Errorf("%s of %s (undisturbed -, killed +):\n%s", sent[i].name, sent[i].exercise, diff)
		}
	}
	p.stop(t)
	onceJudged(t, data, sent, want)
}

// ended waits for so long, or until over is closed.
func ended(over <-chan struct{}, wait time.Duration) bool {
	select {
	case <-over:
		return true
	case <-time.After(wait):
		return false
	}
}

// undisturbed are the verdicts of a server that nobody kills.
func undisturbed(t *testing.T, sent []program) []check.Verdict {
	t.Helper()
	p := serveOn(t, dataWithToolchain(t))
	verdicts, err := newClass(t, p, sent).run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.stop(t)
	return verdicts
}

// dataWithToolchain is a new data folder in which the standard library is prepared already,
// since that takes up to a minute.
func dataWithToolchain(t testing.TB) string {
	t.Helper()
	prepared := checkData(t)
	if _, err := os.Stat(prepared); err != nil {
		name, e := anExercise(t)
		file := filepath.Join(t.TempDir(), "solution.go")
		if err := os.WriteFile(file, []byte(e.Solution), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := towers(t, "check", "--data="+prepared, name, file); status != 0 {
			t.Fatalf("preparing the standard library: %s", stderr)
		}
	}
	data := t.TempDir()
	// What else lies there belongs to checks that are under way.
	if err := os.CopyFS(filepath.Join(data, "toolchain"), os.DirFS(filepath.Join(prepared, "toolchain"))); err != nil {
		t.Fatal(err)
	}
	return data
}

// onceJudged reads the file itself: every row that was written, those included whose sender
// never heard of it, has the verdict that its program deserves.
func onceJudged(t *testing.T, data string, sent []program, want []check.Verdict) {
	t.Helper()
	deserved := make(map[string]check.Outcome)
	for i, p := range sent {
		deserved[p.exercise+"\n"+p.code] = want[i].Verdict
	}
	db, err := sql.Open("sqlite", "file:"+storeFile(data)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT lesson || '/' || exercise, source, coalesce(verdict, 'none') FROM submissions`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var exercise, code, verdict string
		if err := rows.Scan(&exercise, &code, &verdict); err != nil {
			t.Fatal(err)
		}
		count++
		if is, ok := deserved[exercise+"\n"+code]; !ok || string(is) != verdict {
			t.Errorf("a row of %s has the verdict %s, want %s", exercise, verdict, is)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if count < len(sent) {
		t.Errorf("%d rows for %d submissions that were accepted", count, len(sent))
	}
}

// Rows are what is true: a queue whose folder is gone is filled again from them.
func TestDeletedQueueLosesNothing(t *testing.T) {
	data := dataWithToolchain(t)
	p := serveOn(t, data)
	name, e := anExercise(t)
	ada, ids := newVisitor(t), make(map[string]check.Outcome)
	for i := range 3 {
		ids[accepted(t, ada, p, name, fmt.Sprintf("%s\n// %d\n", e.Solution, i))] = check.Passed
		ids[accepted(t, ada, p, name, fmt.Sprintf("%s\n// %d\n", e.Start, i))] = check.Failed
	}
	p.kill()
	if err := os.RemoveAll(filepath.Join(data, "queue")); err != nil {
		t.Fatal(err)
	}
	p = serveOn(t, data)
	for id, want := range ids {
		judged(t, ada, p, id, want)
	}
	p.stop(t)
}

// A copy that was made while the server runs has everything that was told to be kept before it.
func TestBackupWhileServing(t *testing.T) {
	data, restored := dataWithToolchain(t), dataWithToolchain(t)
	p := serveOn(t, data)
	name, e := anExercise(t)
	ada := newVisitor(t)
	id := accepted(t, ada, p, name, e.Solution+"\n// Kept.\n")
	judged(t, ada, p, id, check.Passed)
	file := filepath.Join(t.TempDir(), "towers.backup")
	if status, _, stderr := towers(t, "backup", "--data="+data, file); status != 0 {
		t.Fatalf("backup: status %d, %s", status, stderr)
	}
	if status, _, stderr := towers(t, "backup", "--data="+data, file); status != 2 || !strings.Contains(stderr, file) {
		t.Errorf("a second copy to the same file: status %d, %s", status, stderr)
	}
	p.stop(t)
	if err := os.MkdirAll(filepath.Dir(storeFile(restored)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file, storeFile(restored)); err != nil {
		t.Fatal(err)
	}
	p = serveOn(t, restored)
	judged(t, ada, p, id, check.Passed) // with the session's cookie, too
	p.stop(t)
}
