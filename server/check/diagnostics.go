package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// diagnosticLine is how the compiler begins a remark.
var diagnosticLine = regexp.MustCompile(`^(?:\./)?([a-z_]+\.go):(\d+)(?::(\d+))?: (.*)$`)

// somewhere is how the compiler begins a remark on any place at all, whatever name it has for it.
var somewhere = regexp.MustCompile(`(?m)(?:^<\w[\w ]*>|:\d+): .`)

// parseDiagnostics reads the compiler's output. Lines that follow a remark and are indented
// belong to it; a line about any other file, or about none, is dropped: it could only tell where
// we keep things. The remarks do not keep the output in memory.
func parseDiagnostics(output string, files ...string) []Diagnostic {
	var found []Diagnostic
	open := false
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		if m := diagnosticLine.FindStringSubmatch(line); m != nil {
			if open = slices.Contains(files, m[1]); open {
				row, _ := strconv.Atoi(m[2]) // the expression admits digits only
				column, _ := strconv.Atoi(m[3])
				found = append(found, Diagnostic{File: m[1], Line: row, Column: max(1, column), Message: strings.Clone(m[4])})
			}
			continue
		}
		if open && strings.HasPrefix(line, "\t") {
			last := &found[len(found)-1]
			last.Message += "\n" + line
		}
	}
	return found[:min(len(found), maxDiagnostics)]
}

// usedName finds the learner's names in a line of the tests, as "exercise.Owner".
var usedName = regexp.MustCompile(`\b` + learnerPackage + `\.([\pL_][\pL\pN_]*)`)

// misfit words why the tests do not compile with the learner's file, without a word of theirs:
// it names what the learner declares and what the exercise started from.
func misfit(found []Diagnostic, tests []byte, learner, start map[string]declaration) []Diagnostic {
	lines := strings.Split(string(tests), "\n")
	var said []Diagnostic
	add := func(d Diagnostic) {
		if !slices.Contains(said, d) {
			said = append(said, d)
		}
	}
	for _, d := range found {
		if d.File != testFile || d.Line > len(lines) {
			continue
		}
		for _, name := range namesNear(d, lines[d.Line-1]) {
			if diagnostic, ok := compareDeclarations(name, d.Message, learner, start); ok {
				add(diagnostic)
			}
		}
	}
	if len(said) == 0 {
		add(Diagnostic{Line: 1, Column: 1, Message: "the exercise's tests do not compile with this file; " +
			"keep the names, parameters and results of the file that you started from"})
	}
	return said
}

// namesNear are the learner's names that a remark may be about: one that it mentions, or else
// those in its line of the tests.
func namesNear(d Diagnostic, line string) []string {
	var names []string
	for _, text := range []string{d.Message, line} {
		for _, m := range usedName.FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		if len(names) > 0 {
			break
		}
	}
	// A method or field is missing: "r.Owner undefined (type *exercise.Ring has no field or
	// method Owner)".
	if _, missing, ok := strings.Cut(d.Message, "has no field or method "); ok {
		missing, _, _ = strings.Cut(missing, ")")
		missing, _, _ = strings.Cut(missing, ",")
		names = append([]string{"." + missing}, names...)
	}
	return names
}

// compareDeclarations says how the learner's declaration of a name differs from the start's.
func compareDeclarations(name, message string, learner, start map[string]declaration) (Diagnostic, bool) {
	has, declared := learner[name]
	want, known := start[name]
	shown := strings.TrimPrefix(name, ".")
	expected := ""
	if known {
		expected = "; expected: " + want.Text
	}
	switch {
	case !declared && (strings.HasPrefix(message, "undefined") || strings.HasPrefix(name, ".") || known):
		return Diagnostic{Line: 1, Column: 1, Message: fmt.Sprintf("the tests use %s, which this file does not declare%s", shown, expected)}, true
	case declared && known && has.Text != want.Text:
		return Diagnostic{Line: has.Line, Column: has.Column, Message: fmt.Sprintf("got: %s\nwant: %s", has.Text, want.Text)}, true
	case declared && !known:
		return Diagnostic{Line: has.Line, Column: has.Column, Message: fmt.Sprintf("the tests use %s in another way than it is declared here: %s", shown, has.Text)}, true
	}
	return Diagnostic{}, false
}
