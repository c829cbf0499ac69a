package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ringoftowers/towers/server/check/straighten"
)

// Programs whose jumps were made direct do what they did, whatever way they end.
func TestStraightenedProgramsReportTheSame(t *testing.T) {
	c := newChecker(t, nil)
	programs := map[string]parts{"jumps of every kind": {
		Program: []byte(jumpySource), Tests: []byte(jumpyTest), TestsFile: testFile, Names: []string{"TestJumpy"},
	}}
	for _, kind := range []string{"good", "crash"} {
		dirs, err := filepath.Glob("testdata/" + kind + "/*")
		if err != nil || len(dirs) == 0 {
			t.Fatal("no programs:", err)
		}
		for _, dir := range dirs {
			s := goldenSubmission(t, dir)
			names, err := TestNames(s.Exercise.Tests)
			if err != nil {
				t.Fatal(err)
			}
			programs[dir] = parts{Program: s.Source, Tests: s.Exercise.Tests, TestsFile: testFile, Names: names}
		}
	}
	for name, p := range programs {
		b, err := c.build(t.Context(), p, DefaultLimits())
		if err != nil || b.Failure != nil {
			t.Fatalf("%s: %v, %+v", name, err, b.Failure)
		}
		direct, err := straighten.Program(b.Wasm)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(reports(t, b.Wasm, p), reports(t, direct, p), cmpopts.IgnoreFields(testReport{}, "Wall"), cmpopts.IgnoreFields(subReport{}, "Wall")); diff != "" {
			t.Errorf("%s (- as Go wrote it, + straightened):\n%s", name, diff)
		}
	}
}

// What a toolchain writes that nobody has tried is not touched, nor what is interpreted.
func TestOnlyKnownProgramsAreStraightened(t *testing.T) {
	broken := []byte("\x00asm\x01\x00\x00\x00\x0a\x7f") // a section that is cut off
	for _, c := range []struct {
		job   runJob
		touch bool
	}{
		{runJob{Compiled: true, Direct: true}, true},
		{runJob{Compiled: true}, false},
		{runJob{Direct: true}, false},
	} {
		_, answer := load(c.job, broken)
		touched := strings.HasPrefix(answer.Problem, straighten.ErrMalformed.Error())
		if answer.Problem == "" || touched != c.touch {
			t.Errorf("%+v: %q, want it straightened: %v", c.job, answer.Problem, c.touch)
		}
	}
}

// reports runs every test of a program in the interpreter.
func reports(t *testing.T, wasm []byte, p parts) []testReport {
	t.Helper()
	l := DefaultLimits()
	m, answer := load(runJob{Memory: l.Memory, Output: l.Output, Seed: 1}, wasm)
	if m == nil {
		t.Fatal(answer.Problem)
	}
	var all []testReport
	for n := range p.Names {
		all = append(all, m.run(n, func() {}))
	}
	return all
}

const jumpySource = `package exercise

import (
	"errors"
	"fmt"
	"iter"
	"sort"
	"strings"
	"sync"
)

// Recovers leaves by a panic in the middle of loops and is resumed behind its deferred calls.
func Recovers(n int) (got string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("at %d: %v", n, r)
		}
	}()
	list := make([]int, 5)
	for i := 0; i < 10; i++ {
		for j := range list {
			if i*j == n {
				defer func() { got += fmt.Sprint(i, j, ";") }()
				continue
			}
			list[j] += list[(i+j)%(6-n%2)]
		}
	}
	return fmt.Sprint(list), nil
}

func never() (err error) {
	defer func() { err = errors.Join(err, fmt.Errorf("%v", recover())) }()
	var list []int
	_ = list[0]
	panic("not reached")
}

func Twice() (seen []string) {
	for n := range 3 {
		func() {
			defer func() { seen = append(seen, fmt.Sprint("outer ", recover())) }()
			defer func() {
				defer func() { seen = append(seen, fmt.Sprint("inner ", recover())) }()
				panic(fmt.Sprint("second ", n))
			}()
			panic(fmt.Sprint("first ", n))
		}()
	}
	return append(seen, fmt.Sprint(never()))
}

// Switches is left and entered again in the middle of its loops as goroutines take turns.
func Switches() (sum int) {
	numbers, squares := make(chan int), make(chan int)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for n := range numbers {
				square := 0
				for range n {
					square += n
				}
				squares <- square
			}
		})
	}
	go func() {
		for n := range 50 {
			numbers <- n
		}
		close(numbers)
		all.Wait()
		close(squares)
	}()
	for {
		select {
		case s, ok := <-squares:
			if !ok {
				return sum
			}
			sum += s
		}
	}
}

func Primes(most int) iter.Seq[int] {
	return func(yield func(int) bool) {
	next:
		for n := 2; n < most; n++ {
			for d := 2; d*d <= n; d++ {
				switch {
				case n%d == 0:
					continue next
				case d > 1000:
					break next
				}
			}
			if !yield(n) {
				return
			}
		}
	}
}

func Words() string {
	count := make(map[string]int)
	var words []string
	for p := range Primes(500) {
		word := strings.Repeat(string(rune('a'+p%26)), p%4)
		if count[word]++; count[word] == 1 {
			words = append(words, word)
		}
		if p > 400 {
			break
		}
	}
	sort.Slice(words, func(i, j int) bool { return count[words[i]] > count[words[j]] || count[words[i]] == count[words[j]] && words[i] < words[j] })
	i := 0
again:
	if i < len(words) {
		words[i] = fmt.Sprintf("%s:%d", words[i], count[words[i]])
		i++
		goto again
	}
	return strings.Join(words, " ")
}
`

const jumpyTest = `package exercise_test

import (
	"testing"

	"exercise"
)

func TestJumpy(t *testing.T) {
	for n := range 8 {
		t.Log(exercise.Recovers(n))
	}
	t.Log(exercise.Twice())
	t.Log(exercise.Switches())
	t.Log(exercise.Words())
}
`
