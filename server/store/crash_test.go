package store

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const crashFile = "STORE_CRASH_FILE"

// A process that writes is killed at random moments, again and again over one file. Whatever
// it had acknowledged is there afterwards, and the file is whole.
func TestKillLosesNothing(t *testing.T) {
	const seed = 4
	random := rand.New(rand.NewPCG(seed, seed))
	path := filepath.Join(t.TempDir(), "towers.db")
	acknowledged := map[string]string{} // a submission's ID to its verdict
	drafts := map[string]string{}       // a learner's ID to the draft
	for round := range 12 {
		lines := killed(t, path, 1+random.IntN(60), time.Duration(random.IntN(3000))*time.Microsecond)
		for _, line := range lines {
			switch word, rest, _ := strings.Cut(line, " "); word {
			case "submission":
				acknowledged[rest] = ""
			case "verdict":
				id, verdict, _ := strings.Cut(rest, " ")
				acknowledged[id] = verdict
			case "draft":
				learner, source, _ := strings.Cut(rest, " ")
				drafts[learner] = source
			}
		}
		s := get(Open(t.Context(), path))(t)
		wantSame(t, "the integrity", column(t, s, "PRAGMA integrity_check"), []string{"ok"})
		wantSame(t, "rows of nobody", column(t, s, `SELECT "table" FROM pragma_foreign_key_check`), nil)
		for id, verdict := range acknowledged {
			if got := get(s.Submission(t.Context(), id))(t); verdict != "" && got.Verdict != verdict {
				t.Errorf("round %d: %s was acknowledged as %q and is %q", round, id, verdict, got.Verdict)
			}
		}
		for learner, source := range drafts {
			// The one that was being written when the kill came may be there as well.
			if got := get(s.Draft(t.Context(), learner, "l", "e"))(t).Source; got < source {
				t.Errorf("round %d: the draft %q was acknowledged and is %q", round, source, got)
			}
		}
		must(t, s.Close())
	}
	if len(acknowledged) < 50 {
		t.Errorf("only %d submissions were acknowledged; the test shows little", len(acknowledged))
	}
}

// killed runs a child that writes, kills it a moment after so many lines, and gives all whole
// lines that it had written.
func killed(t *testing.T, path string, after int, moment time.Duration) (lines []string) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildWrites$")
	child.Env = append(os.Environ(), crashFile+"="+path)
	child.Stderr = os.Stderr
	pipe := get(child.StdoutPipe())(t)
	must(t, child.Start())
	out := bufio.NewReader(pipe)
	for {
		line, err := out.ReadString('\n')
		if err == io.EOF {
			break
		}
		must(t, err)
		lines = append(lines, strings.TrimSuffix(line, "\n"))
		if len(lines) == after {
			time.AfterFunc(moment, func() { _ = child.Process.Kill() })
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.Exited() {
		t.Fatalf("the child was not killed: %v, %q", err, lines)
	}
	return lines
}

func TestChildWrites(t *testing.T) {
	path := os.Getenv(crashFile)
	if path == "" {
		t.Skip("only the child of TestKillLosesNothing does this")
	}
	s := get(Open(t.Context(), path))(t)
	learner := guest(t, s).ID
	for i := range 100_000 {
		sub := add(t, s, submission(learner, i))
		fmt.Println("submission", sub.ID)
		verdict := fmt.Sprint("verdict-", i)
		get(s.Record(t.Context(), sub.ID, verdict, []byte(`{}`), after(i)))(t)
		fmt.Println("verdict", sub.ID, verdict)
		source := fmt.Sprintf("%06d", i)
		must(t, s.SaveDraft(t.Context(), learner, "l", "e", source, after(i)))
		fmt.Println("draft", learner, source)
	}
}
