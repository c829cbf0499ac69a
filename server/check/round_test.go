package check

import (
	"errors"
	"os"
	"testing"
)

// What a child has used counts although it died before it was let go, or else a run whose child
// dies seems to have waited for a busy machine.
func TestDeadChildsTimeIsCounted(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c, err := startChild(self, roleRun)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.in.Close(); err != nil { // it ends when it hears of no job
		t.Fatal(err)
	}
	_, end := readFrame(c.out, new(loaded))
	if end == nil {
		t.Fatal("the child answered nobody's question")
	}
	if err := c.died(end); !errors.Is(err, end) {
		t.Errorf("it died of %v, want %v", err, end)
	}
	r := &round{execution: &execution{checker: &Checker{}}}
	r.letGo(&runner{child: c})
	r.checker.behind.Wait()
	if r.spent <= 0 {
		t.Errorf("counted %v, want what the child used", r.spent)
	}
}
