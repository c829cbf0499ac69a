package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
)

// A finding is a verdict in words: one line to read at a glance, one that says what to do next.
type finding struct {
	class string // of the style sheet: stateRunning, statePassed, stateFailed, ours, or none
	seal  string // what is stamped on it: "5/7"
	head  string
	text  string
}

// says is what a screen reader hears of it.
func (f finding) says() string {
	if f.text == "" {
		return f.head + "."
	}
	return f.head + ". " + f.text
}

// finding puts the state of a submission into words.
func (r Results) finding(parts []state) finding {
	s := r.Submission
	good, all := count(parts, statePassed), len(parts)
	f := finding{class: "running", seal: strconv.Itoa(good) + "/" + strconv.Itoa(all)}
	switch s.State {
	case "":
		f.class, f.head, f.text = "", "Not checked yet", r.before(all)
	case "queued":
		f.class, f.head = "queued", r.place()
		f.text = "Your program is kept, and checked as soon as its turn comes."
		if s.Verdict == "internal" {
			f.class, f.seal, f.head = "ours", "…", "This one is our fault"
			f.text = "The checker broke off. Nothing is scored; your program is queued again by itself."
		}
	case "building":
		f.head, f.text = "Building", "The compiler reads your program."
	case "running":
		f.head, f.text = "Running", "Each test runs on its own."
		if back := all - count(parts, stateWaiting) - count(parts, stateRunning); back > 0 {
			f.head = capital(inWords(back)) + " of " + inWords(all) + " " + isOrAre(back) + " back"
			f.text = r.tally()
			if good < back {
				f.text += " Each test runs on its own, so the rest go on."
			}
		}
	default:
		r.judged(&f, good, all)
	}
	return f
}

// before says what an exercise is judged by, when nothing was sent in yet.
func (r Results) before(all int) string {
	if r.Exercise != nil && r.Exercise.Kind == lessons.Tests {
		n := len(r.Exercise.Wrong)
		return capital(inWords(n)) + " faulty " + oneOr(n, "program waits", "programs wait") + " for your tests."
	}
	return capital(inWords(all)) + " " + oneOr(all, "test waits", "tests wait") + " for your program."
}

// stampDate is the day as a stamp has it: 30 NOV.
func stampDate(t time.Time) string { return strings.ToUpper(t.Format("2 Jan")) }

// place says where in the queue a submission stands.
func (r Results) place() string {
	switch r.Place {
	case 0:
		return "In line"
	case 1:
		return "Next in line"
	}
	return "Number " + grouped(r.Place) + " in line"
}

// judged puts a verdict into words.
func (r Results) judged(f *finding, good, all int) {
	s := r.Submission
	f.class, f.text = "failed", inert(s.Message)
	switch s.Verdict {
	case "passed":
		f.class, f.head = "passed", "All "+inWords(all)+" passed"
		if all == 1 {
			f.head = "It passed"
		}
		f.text = "The solution is open now, to compare with yours."
		if r.Exercise != nil {
			f.text = plural(r.Exercise.Points, "point", "points") + ". " + f.text
		}
	case "failed":
		r.notYet(f, good, all)
	case "build_error":
		f.head = "It does not compile"
		if len(s.Diagnostics) > 0 && r.Exercise != nil {
			d := s.Diagnostics[0]
			head, _, _ := strings.Cut(inert(d.Message), "\n") // the list below has the rest
			f.text = fmt.Sprintf("%s, line %d: %s. No test has run.", fileName(r.Exercise), d.Line, strings.TrimSuffix(head, "."))
		}
	case "forbidden":
		f.head = "Not allowed here"
	case "too_large":
		f.head = "Too large"
	case "internal":
		f.class, f.seal, f.head = "ours", "…", "This one is our fault"
	default:
		f.head = "Stopped: " + stopped(s.Verdict)
		if good > 0 {
			f.text = strings.TrimSpace(f.text + " " + r.tally())
		}
	}
}

// stopped says what ended a program.
func stopped(verdict string) string {
	switch verdict {
	case "compile_limit":
		return "too much to compile"
	case "crashed":
		return "it crashed"
	case "deadlock":
		return "everything waits"
	case "":
		return "no verdict"
	}
	return strings.ReplaceAll(saidOf(verdict), "printed", "it printed")
}

// notYet is the verdict on a program that runs and is not right.
func (r Results) notYet(f *finding, good, all int) {
	if r.Exercise == nil || r.Exercise.Kind != lessons.Tests {
		f.head, f.text = "Not yet: "+inWords(good)+" of "+inWords(all), r.tally()+" Begin with the first."
		return
	}
	missed, own := 0, 0
	for _, t := range r.Submission.Tests {
		switch {
		case t.Status == "passed":
		case strings.HasPrefix(t.Name, catchesPrefix):
			missed++
		default:
			own++
		}
	}
	if own > 0 {
		f.head = "Not yet: a program that is right fails"
		f.text = "Your tests have to pass on it before they can catch another. Begin with the first that did not."
		return
	}
	n := len(r.Exercise.Wrong)
	f.head = "Not yet: " + inWords(n-missed) + " of " + inWords(n) + " caught"
	f.text = capital(inWords(missed)) + " faulty " + oneOr(missed, "program passes", "programs pass") +
		" your tests. Test what it could get wrong."
}

// tally counts the outcomes of the tests that have one: "Three passed, one failed, one crashed."
func (r Results) tally() string {
	var order []string
	n := make(map[string]int)
	for _, t := range r.Submission.Tests {
		if t.Status == "" {
			continue
		}
		if n[t.Status] == 0 {
			order = append(order, t.Status)
		}
		n[t.Status]++
	}
	// Passed comes first, and what did not run comes last; the others as they come.
	slices.SortStableFunc(order, func(a, b string) int { return telling(a) - telling(b) })
	var counted []string
	for _, outcome := range order {
		counted = append(counted, inWords(n[outcome])+" "+didOf(outcome))
	}
	if len(counted) == 0 {
		return ""
	}
	return capital(strings.Join(counted, ", ")) + "."
}

func telling(outcome string) int {
	switch outcome {
	case "passed":
		return 0
	case "not_run":
		return 2
	}
	return 1
}

// didOf says in the past tense what became of tests.
func didOf(outcome string) string {
	switch outcome {
	case "time_limit", "memory_limit":
		return "ran " + saidOf(outcome)
	case "not_run":
		return "did not run"
	case "deadlock":
		return "waited for ever"
	}
	return saidOf(outcome)
}

func isOrAre(n int) string { return oneOr(n, "is", "are") }

// counts reports whether a try brings its learner closer to seeing the solution.
func (t Try) counts() bool { return t.Verdict != "" && t.Verdict != "internal" && !t.Recheck }

// state is how a try looks in the list of tries.
func (t Try) state() state {
	if t.Verdict == "build_error" || t.Verdict == "forbidden" || t.Verdict == "too_large" {
		return stateCrashed
	}
	return stateOf(t.Verdict)
}

// said is what became of a try, in a few words; src/try-list.ts says the same.
func (t Try) said() string {
	switch t.Verdict {
	case "":
		return "being checked"
	case "passed":
		return "passed"
	case "build_error":
		return "did not compile"
	case "forbidden":
		return "not allowed"
	case "too_large":
		return "too large"
	case "compile_limit":
		return "too much to compile"
	case "internal":
		return "our fault, not counted"
	}
	if t.Tests == 0 {
		return saidOf(t.Verdict)
	}
	return fmt.Sprintf("%d of %d passed", t.Passed, t.Tests)
}
