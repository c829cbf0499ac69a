package web

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ringoftowers/towers/lessons"
)

// hiddenPrefix begins the names of the tests that learners do not get to see.
const hiddenPrefix = "TestHidden"

// catchesPrefix begins the names of a verdict's tests that stand for faulty programs.
const catchesPrefix = "catches "

// A testRow is one line of the list of tests, and what stands under it. Hidden tests share one.
type testRow struct {
	key   string // the same in every drawing, so that a page can tell which row is which
	name  string
	words bool // name is words, and not the name of a function
	state state
	said  string
	ms    int64 // 0 = not told
	tests []Test
	parts []state // its share of the bar: one for each test
}

// A state is how a test stands, as the classes of the style sheet name it.
type state string

// The states, those that ask for attention first: this is the order of the list.
const (
	stateFailed  state = "failed"
	stateCrashed state = "crashed"
	stateSlow    state = "slow" // stopped at a limit, or waits for ever
	statePassed  state = "passed"
	stateRunning state = "running"
	stateWaiting state = "notrun"
)

// rank is where a row stands in the list.
func (s state) rank() int {
	switch s {
	case stateFailed, stateCrashed, stateSlow:
		return 0
	case statePassed:
		return 1
	case stateRunning:
		return 2
	}
	return 3
}

// stateOf is how an outcome looks.
func stateOf(outcome string) state {
	switch outcome {
	case "passed":
		return statePassed
	case "failed":
		return stateFailed
	case "time_limit", "memory_limit", "output_limit", "deadlock":
		return stateSlow
	case "not_run", "":
		return stateWaiting
	}
	return stateCrashed
}

// saidOf puts an outcome into a word or two.
func saidOf(outcome string) string {
	switch outcome {
	case "time_limit":
		return "out of time"
	case "memory_limit":
		return "out of memory"
	case "output_limit":
		return "printed too much"
	case "not_run":
		return "not run"
	case "":
		return "waiting"
	}
	return outcome
}

// done reports whether there is a verdict.
func (s Submission) done() bool { return s.State == "done" }

// sent reports whether there is a submission at all.
func (s Submission) sent() bool { return s.State != "" }

// rows are the lines of the list of tests: those that did not pass, those that did, the one that
// runs, and the others, each group in the order in which the exercise has them.
func (r Results) rows() []testRow {
	var rows []testRow
	if r.Exercise != nil && r.Exercise.Kind == lessons.Tests {
		rows = r.rowsOfTests()
	} else {
		rows = r.rowsOfCode()
	}
	slices.SortStableFunc(rows, func(a, b testRow) int { return cmp.Compare(a.state.rank(), b.state.rank()) })
	return rows
}

// rowsOfCode lists what a program is judged by. The exercise names the tests even before any has
// run; what a submission has besides is of an older version of the exercise.
func (r Results) rowsOfCode() []testRow {
	s := r.Submission
	var names []string
	if r.Exercise != nil {
		names = slices.Clone(r.Exercise.Checks)
	}
	found := make(map[string]Test)
	for _, t := range s.Tests {
		found[t.Name] = t
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	if s.done() && len(s.Tests) > 0 {
		names = slices.DeleteFunc(names, func(name string) bool { _, ok := found[name]; return !ok })
	}
	var rows []testRow
	var hidden []Test
	for _, name := range names {
		t, ok := found[name]
		if !ok {
			t = Test{Name: name, Hidden: strings.HasPrefix(name, hiddenPrefix)}
			if s.done() {
				t.Status = "not_run"
			}
		}
		if t.Hidden {
			hidden = append(hidden, t)
			continue
		}
		rows = append(rows, rowOf(t, name))
	}
	if len(hidden) > 0 {
		rows = append(rows, hiddenRow(hidden))
	}
	if s.State == "running" {
		markRunning(rows)
	}
	return rows
}

// rowOf is the line of a single test.
func rowOf(t Test, name string) testRow {
	return testRow{
		key: "test-" + inert(t.Name), name: inert(name), state: stateOf(t.Status), said: saidOf(t.Status), ms: t.ElapsedMS,
		tests: []Test{t}, parts: []state{stateOf(t.Status)},
	}
}

// hiddenRow is the one line of all hidden tests: of each only the outcome is told.
func hiddenRow(tests []Test) testRow {
	h := testRow{key: "hidden", name: "One hidden test", words: true, tests: tests}
	if len(tests) > 1 {
		h.name = capital(inWords(len(tests))) + " hidden tests"
	}
	worst := tests[0]
	count := make(map[state]int)
	for _, t := range tests {
		s := stateOf(t.Status)
		h.parts = append(h.parts, s)
		h.ms += t.ElapsedMS
		count[s]++
		// A test that has not run yet says more than one that passed: there is more to come.
		says := func(s state) int { return []int{2, 0, 0, 1}[s.rank()] }
		if says(s) > says(stateOf(worst.Status)) {
			worst = t
		}
	}
	h.state, h.said = stateOf(worst.Status), saidOf(worst.Status)
	if len(tests) > 1 && count[statePassed] > 0 && count[statePassed] < len(tests) {
		h.said = fmt.Sprintf("%d of %d passed", count[statePassed], len(tests))
	}
	return h
}

// markRunning marks the first test that has no result: they run one after the other.
func markRunning(rows []testRow) {
	for i := range rows {
		for j, part := range rows[i].parts {
			if part != stateWaiting {
				continue
			}
			rows[i].parts[j] = stateRunning
			if rows[i].state == stateWaiting {
				rows[i].state, rows[i].said = stateRunning, "running"
			}
			return
		}
	}
}

// rowsOfTests lists what a learner's tests are judged by: themselves, on a program that is
// right, and then one faulty program after the other.
func (r Results) rowsOfTests() []testRow {
	s := r.Submission
	var rows []testRow
	for _, t := range s.Tests {
		if !strings.HasPrefix(t.Name, catchesPrefix) {
			rows = append(rows, rowOf(t, t.Name))
		}
	}
	if len(rows) == 0 {
		own := testRow{key: "own", name: "Your tests, on a program that is right", words: true, state: stateWaiting, said: "waiting"}
		if s.State == "running" {
			own.state, own.said = stateRunning, "running"
		} else if s.done() {
			own.said = "not run"
		}
		rows = append(rows, own)
	}
	for n := range r.Exercise.Wrong {
		rows = append(rows, s.faulty(n+1))
	}
	return rows
}

// faulty is the line of a faulty program that tests have to catch.
func (s Submission) faulty(n int) testRow {
	name := catchesPrefix + "wrong program " + strconv.Itoa(n)
	t := Test{Name: name}
	if i := slices.IndexFunc(s.Tests, func(t Test) bool { return t.Name == name }); i >= 0 {
		t = s.Tests[i]
	} else if s.done() {
		t.Status = "not_run"
	}
	row := rowOf(t, "Faulty program "+strconv.Itoa(n))
	row.words = true
	switch t.Status {
	case "passed":
		row.said = "caught"
	case "failed":
		row.said = "not caught"
	}
	return row
}

// parts are the stretches of the bar: one for each test, in the order of the list.
func parts(rows []testRow) []state {
	var all []state
	for _, row := range rows {
		all = append(all, row.parts...)
	}
	return all
}

// count is how many parts are in a state.
func count(parts []state, s state) int {
	n := 0
	for _, p := range parts {
		if p == s {
			n++
		}
	}
	return n
}

// duration writes milliseconds as a person reads them.
func duration(ms int64) string {
	switch {
	case ms < 1000:
		return strconv.FormatInt(ms, 10) + "\u00a0ms"
	case ms < 10_000:
		return strconv.FormatFloat(float64(ms)/1000, 'f', 1, 64) + "\u00a0s"
	}
	return grouped(int((ms+500)/1000)) + "\u00a0s"
}

// seconds writes the time of a whole check, which is mostly less than one.
func seconds(ms int64) string {
	if ms < 1000 {
		return strconv.FormatFloat(float64(ms)/1000, 'f', 2, 64) + "\u00a0s"
	}
	return duration(ms)
}

// lineCount is how many lines a text has.
func lineCount(text string) int {
	return strings.Count(strings.TrimRight(text, "\n"), "\n") + 1
}
