package jobs

import (
	"fmt"
	"testing"
	"time"
)

// What the queue adds to a check: from Submit until a watcher has the verdict, with a checker
// that takes no time and a ledger in memory.
func BenchmarkSubmitToVerdict(b *testing.B) {
	q := mustOpen(b, testConfig(b, newLedger()))
	startWork(b, q, newChecker(), 2)
	waitFor(b, 5*time.Second, "a worker is there", func() bool { return q.Stats().Workers == 1 })
	n := 0
	for b.Loop() {
		n++
		id := fmt.Sprint("s", n)
		w := q.Watch(id)
		mustSubmit(b, q, submission(id, "ada", "pass"))
		for e := range w.C() {
			if e.Final() {
				break
			}
		}
		w.Close()
	}
}

// The order of a full queue, which is made anew at each change.
func BenchmarkOrder(b *testing.B) {
	waiting := make([]candidate, 2000)
	for n := range waiting {
		waiting[n] = candidate{id: fmt.Sprint("s", n), learner: fmt.Sprint("learner", n%200), at: time.Unix(int64(n), 0)}
	}
	for b.Loop() {
		order(waiting, waiting[:8])
	}
}
