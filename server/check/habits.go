package check

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"
)

// habits remembers which exercises' tests are so heavy that the compiled program was worth its
// time, so that the next submission need not prove it again. A program can be slow for reasons of
// its own, and everybody else would wait half a second for its compiler, so that two have to agree.
// The zero value remembers none.
type habits struct {
	mu    sync.Mutex
	known map[habit]memory
}

// habit stands for an exercise and its tests.
type habit [sha256.Size]byte

// memory is what is known of an exercise on which at least one program was worth compiling.
type memory struct {
	program [sha256.Size]byte // the first such
	agreed  bool              // another was so too
	tests   []int             // those that it was compiled for
}

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
	return h.known[of].agreed
}

// learn draws a lesson from the results of one program. Only tests that pass tell what an
// exercise's tests take, for the loop that never ends is its author's own; and only a program that
// passes tells that of all of them.
func (h *habits) learn(of habit, program []byte, results map[int]result) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was, known := h.known[of]
	took, tests, passed := compiledFor(results)
	switch {
	case took < lightest && (passed || known && contains(tests, was.tests)):
		delete(h.known, of)
	case took >= lightest && passed:
		now := memory{program: sha256.Sum256(program), tests: tests}
		if known {
			now.program = was.program
			now.agreed = was.agreed || was.program != sha256.Sum256(program)
		}
		h.remember(of, now)
	}
}

// compiledFor says which tests the compiled program passed and what they took together, and
// whether all tests passed. For the others that passed, the interpreter was quick enough.
func compiledFor(results map[int]result) (took time.Duration, tests []int, passed bool) {
	passed = true
	for n, r := range results {
		if r.outcome != Passed {
			passed = false
			continue
		}
		if r.compiled {
			took += time.Duration(r.report.Wall) * time.Millisecond
			tests = append(tests, n)
		}
	}
	return took, tests, passed
}

func contains(all, some []int) bool {
	return !slices.ContainsFunc(some, func(n int) bool { return !slices.Contains(all, n) })
}

// remember makes room, if there is none, by forgetting any other.
func (h *habits) remember(of habit, m memory) {
	if h.known == nil {
		h.known = make(map[habit]memory)
	}
	if _, known := h.known[of]; !known && len(h.known) >= mostHabits {
		for other := range h.known {
			delete(h.known, other)
			break
		}
	}
	h.known[of] = m
}
