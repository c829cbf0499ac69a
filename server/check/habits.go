package check

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

// habits remembers which exercises' tests are so heavy that the compiled program was worth its
// time, so that the next submission need not prove it again. The zero value remembers none.
type habits struct {
	mu    sync.Mutex
	heavy map[habit]bool
}

// habit stands for an exercise and its tests.
type habit [sha256.Size]byte

const (
	// mostHabits bounds what is remembered; a course has tens of exercises.
	mostHabits = 1000
	// lightest is what all tests together take in the compiled program if it is worth compiling:
	// interpreted they would take ten times as long.
	lightest = heavyAfter / 10
)

func habitOf(e Exercise) habit {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q", e.Lesson, e.Name, e.Tests))
}

func (h *habits) isHeavy(of habit) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.heavy[of]
}

// learn draws a lesson from the results of one program. Only a program that passes tells what an
// exercise's tests take: the loop that never ends is its author's own.
func (h *habits) learn(of habit, results map[int]result) {
	var took time.Duration
	for _, r := range results {
		if r.outcome != Passed {
			return
		}
		if !r.compiled {
			continue // the interpreter was quick enough for this one
		}
		took += time.Duration(r.report.Wall) * time.Millisecond
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if took < lightest {
		delete(h.heavy, of)
		return
	}
	if h.heavy == nil || len(h.heavy) >= mostHabits {
		h.heavy = make(map[habit]bool)
	}
	h.heavy[of] = true
}
