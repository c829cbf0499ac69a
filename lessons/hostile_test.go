package lessons

import (
	"strings"
	"testing"
	"time"
)

// A slip that is repeated thousands of times, such as a key held down, may cost seconds but
// not hang the server, and tells no more mistakes than an author can use.
func TestRepeatedSlipsEnd(t *testing.T) {
	const patience = 20 * time.Second // on a busy machine; each takes at most one on a free one
	for _, slip := range []string{"> ", "[", ":::details\n", ":::\n", "$", "*a ", "- ", "`", "$$\n", "::ring{a=b}\n", "## a\n", "[a](b) ",
		"<b>", "| a ", "|a\n|-\n", "\\", "![", "x\n:::\n", "{", "```go\n", "- a\n  ", ":::quiz\n- [ ] a\n", "#", "::", "&#", "[a]: b\n"} {
		start := time.Now()
		l := lessonOf(t, strings.Repeat(slip, 60_000/len(slip)))
		if took := time.Since(start); took > patience {
			t.Errorf("%q takes %v", slip, took)
		}
		if n := len(l.Problems); n > mostProblems+1 {
			t.Errorf("%q gives %d problems", slip, n)
		}
	}
}
