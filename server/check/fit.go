package check

import (
	"cmp"
	"slices"
)

const (
	// verdictRoom is how many bytes of messages and output all tests of a verdict have between
	// them, and how many their subtests' names: a verdict is stored, sent and shown whole. A limit
	// on output that is above it is its author's wish and has room for one test's.
	verdictRoom = 256 << 10
	// subtestPiece is what a subtest takes of that besides its name.
	subtestPiece = 64
)

// fit cuts what tests say where it would be too much for one verdict. Each text has the same
// right: what is short stays whole, and the long ones share what is left. It does not change its
// argument's subtests and texts, which others may hold.
func fit(tests []Test, room int) (fitting []Test, cut bool) {
	fitting, cut = fewerSubtests(tests, room)
	var wants []int
	eachText(fitting, func(text *string) { wants = append(wants, len(*text)) })
	gets := shares(wants, room)
	if slices.Equal(wants, gets) {
		return fitting, cut
	}
	fitting = cloneTests(fitting)
	n := 0
	eachText(fitting, func(text *string) {
		if gets[n] < wants[n] {
			*text = abridged(*text, gets[n])
		}
		n++
	})
	return fitting, true
}

// eachText calls f with every text of the tests and their subtests that a program can make long.
func eachText(tests []Test, f func(text *string)) {
	for n := range tests {
		f(&tests[n].Message)
		f(&tests[n].Output)
		eachText(tests[n].Subtests, f)
	}
}

func cloneTests(tests []Test) []Test {
	tests = slices.Clone(tests)
	for n := range tests {
		tests[n].Subtests = cloneTests(tests[n].Subtests)
	}
	return tests
}

// abridged is the head and the tail of a text with a mark between them.
func abridged(text string, limit int) string {
	r := newRecorder(limit)
	r.add([]byte(text))
	kept, _ := r.text()
	return inert(kept) // a character may have been cut in two
}

// fewerSubtests leaves the last subtests out where there are too many.
func fewerSubtests(tests []Test, room int) (fewer []Test, cut bool) {
	wants := make([]int, len(tests))
	for n, t := range tests {
		wants[n] = weighSubtests(t.Subtests)
	}
	gets := shares(wants, room)
	if slices.Equal(wants, gets) {
		return tests, false
	}
	fewer = slices.Clone(tests)
	for n := range fewer {
		left := gets[n]
		fewer[n].Subtests = firstSubtests(fewer[n].Subtests, &left)
	}
	return fewer, true
}

func weighSubtests(tests []Test) int {
	sum := 0
	for _, t := range tests {
		sum += subtestPiece + len(t.Name) + weighSubtests(t.Subtests)
	}
	return sum
}

// firstSubtests are as many as there is room left for, each before those inside it.
func firstSubtests(tests []Test, left *int) []Test {
	var kept []Test
	for _, t := range tests {
		if *left -= subtestPiece + len(t.Name); *left < 0 {
			break
		}
		t.Subtests = firstSubtests(t.Subtests, left)
		kept = append(kept, t)
	}
	return kept
}

// shares divides room among those who want some: nobody gets more than they want, and who does not
// get all gets no less than any other.
func shares(wants []int, room int) []int {
	order := make([]int, len(wants))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(wants[a], wants[b]) })
	gets := make([]int, len(wants))
	for k, n := range order {
		gets[n] = min(wants[n], room/(len(order)-k))
		room -= gets[n]
	}
	return gets
}
