package lessons

import (
	"cmp"
	"fmt"
	"slices"
)

// A Problem is an author's mistake and the place of it. It is also a [Block], which stands
// in the page where the mistake is.
type Problem struct {
	File    string // as the caller of Load named the folder: "lessons/course/03-the-ring/lesson.md"
	Line    int    // from 1
	Column  int    // from 1, in characters (not bytes); a tab is one
	Message string // what is wrong, and what was expected
	Source  string // the line itself; empty where there is none to show
}

// String gives the problem as compilers do: file:line:column: message.
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// sortProblems puts problems in the order in which a reader of the files meets them.
func sortProblems(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
}
