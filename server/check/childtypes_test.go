package check

import (
	"errors"
	"os"
	"testing"
	"time"
)

// A child is used again and again, and replaced once it has done its share or was killed.
func TestTypesChildrenAreReusedAndReplaced(t *testing.T) {
	c := newChecker(t, func(config *Config) { config.Parallel = 1 })
	s := Submission{Source: read(t, "testdata/exercise/solution.txt"), Exercise: common(t)}
	ask := func() int {
		t.Helper()
		if _, err := c.Types(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		now := <-c.typists.ready // wait for a child that is on its way
		c.typists.ready <- now
		return now.child.cmd.Process.Pid
	}
	first := ask()
	for n := 2; n < typesFiles; n++ {
		if pid := ask(); pid != first {
			t.Fatalf("the child was replaced after %d files", n)
		}
	}
	if second := ask(); second == first {
		t.Errorf("the child was not replaced after %d files", typesFiles)
	}
	killed := <-c.typists.ready
	killGroup(killed.child.cmd.Process)
	c.typists.ready <- killed
	if _, err := c.Types(t.Context(), s); !errors.Is(err, ErrTooSlow) {
		t.Errorf("with a killed child: %v", err)
	}
	if pid := ask(); pid == killed.child.cmd.Process.Pid {
		t.Error("the killed child was not replaced")
	}
}

// What ends a child is what the kernel counts: more than passed on the clock if collections ran on
// other processors, and less if the machine was busy.
func TestTypesChildsShare(t *testing.T) {
	const slow, quick = typesSpent + 1, time.Millisecond
	for _, c := range []struct {
		name    string
		files   int
		took    time.Duration
		counted time.Duration
		known   bool
		held    uint64
		want    bool
	}{
		{"nothing much", typesFiles - 1, quick, typesSpent, true, typesHeld, false},
		{"many files", typesFiles, quick, quick, true, 0, true},
		{"much CPU time in little time", 1, quick, slow, true, 0, true},
		{"little CPU time in much time", 2, slow, quick, true, 0, false},
		{"no CPU time is known", 2, slow/2 + 1, 0, false, 0, true},
		{"much memory", 1, quick, quick, true, typesHeld + 1, true},
	} {
		var s share
		got := false
		for n := range c.files {
			if got {
				t.Errorf("%s: done after %d files", c.name, n)
				break
			}
			got = s.isDone(c.took, func() (time.Duration, bool) { return c.counted, c.known }, c.held)
		}
		if got != c.want {
			t.Errorf("%s: done = %v, want %v", c.name, got, c.want)
		}
	}
}

// The CPU time that a child finds itself to have used is what the kernel's clock of it says.
func TestOwnCPUTime(t *testing.T) {
	var self os.Process
	self.Pid = os.Getpid()
	least, ok := cpuTime(&self)
	if !ok {
		t.Skip("this system has no clock of a process's CPU time to compare with")
	}
	const much, slack = 300 * time.Millisecond, 50 * time.Millisecond // they count at other moments
	for least < much {
		least, _ = cpuTime(&self)
	}
	got, ok := ownCPU()
	most, _ := cpuTime(&self)
	if !ok || got < least-slack || got > most+slack {
		t.Errorf("got %v, %v, want between %v and %v", got, ok, least, most)
	}
}
