package check

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// What ballast adds does not move a line, wherever the imports end.
func TestBallastedKeepsTheLines(t *testing.T) {
	added := regexp.MustCompile(`; var ballastOfTowers = "-+"(; func init\(\) \{[^}]*\})+`)
	for _, source := range []string{
		"package exercise\n\nfunc F() {}",
		"package exercise // words\n",
		"package exercise; import \"fmt\"; var X = fmt.Sprint()\n",
		"package exercise\n\nimport \"fmt\"\nimport (\n\t\"io\"\n) // words\n\nvar X = fmt.Sprint(io.EOF)\n",
	} {
		got := ballasted([]byte(source), []byte("seed"))
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", got, 0); err != nil {
			t.Errorf("%q became %q: %v", source, got, err)
		}
		if without := added.ReplaceAll(got, nil); !bytes.HasPrefix(without, []byte(source)) || bytes.Equal(without, got) {
			t.Errorf("%q became %q", source, got)
		}
	}
	if broken := []byte("package exercise\n\nimport \""); !bytes.Equal(ballasted(broken), broken) {
		t.Error("a program that does not parse was changed")
	}
	if bytes.Equal(ballasted([]byte("package p\n"), []byte("a"), []byte("b")), ballasted([]byte("package p\n"), []byte("ab"))) {
		t.Error("two seeds give the same ballast")
	}
}

// Tests that know the solution by where its parts lie do not find them there again: they are
// refused by the solution itself.
func TestAddressesAreNoFingerprint(t *testing.T) {
	const print = `fmt.Sprintf("%p %p %p", exercise.Owner, TestOwner, &exercise.Towers)`
	const form = "package exercise_test\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\n\t\"exercise\"\n)\n\n" +
		"func TestOwner(t *testing.T) {\n\tgot := %s\n\tt.Log(got)\n\tif want := %q; want != \"\" && got != want {\n\t\tt.Error(\"not the solution\")\n\t}\n}\n"
	c := newChecker(t, nil)
	e := common(t)
	e.Kind = KindTests
	more := []byte("\nvar Towers = 7\n")
	e.Solution = append(read(t, "testdata/exercise/solution.txt"), more...)
	e.Wrong = map[string][]byte{"empty.go": append(read(t, "testdata/exercise/wrong-empty.txt"), more...)}
	address := ""
	for try := range 3 {
		v := mustCheck(t, c, Submission{Source: fmt.Appendf(nil, form, print, address), Exercise: e})
		_, output, _ := strings.Cut(v.Tests[0].Output, ": ")
		if v.Passed() {
			t.Errorf("try %d: tests that look at addresses alone caught a wrong program", try)
		}
		if own := v.Tests[0].Status; (own == Passed) != (address == "") {
			t.Errorf("try %d: the tests %s with the solution at %s, after %q", try, own, output, address)
		}
		address, _, _ = strings.Cut(output, "\n")
	}
}
