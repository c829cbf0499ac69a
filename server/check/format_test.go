package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"spaces", "package  exercise\nfunc F( a int )int{\nreturn a+1}", "package exercise\n\nfunc F(a int) int {\n\treturn a + 1\n}\n"},
		{"sorted imports", "package exercise\nimport (\n\"sort\"\n\"fmt\"\n)\n", "package exercise\n\nimport (\n\t\"fmt\"\n\t\"sort\"\n)\n"},
		{"an import that vet refuses", "package exercise\nimport \"os\"\n", "package exercise\n\nimport \"os\"\n"},
		{"an order to the toolchain", "//go:build ignore\npackage exercise\n", "//go:build ignore\n\npackage exercise\n"},
		{"another package", "package main\nfunc main(){}\n", "package main\n\nfunc main() {}\n"},
		{"byte order mark and carriage returns", "\xef\xbb\xbfpackage exercise\r\nvar a=1 // one\r\n", "package exercise\n\nvar a = 1 // one\n"},
		{"well formatted", "package exercise\n\nvar a = 1\n", "package exercise\n\nvar a = 1\n"},
	} {
		got, found := Format([]byte(c.src))
		if len(found) > 0 {
			t.Errorf("%s: %v", c.name, found)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", c.name, diff)
		}
	}
}

func TestFormatTellsWhatItCannotRead(t *testing.T) {
	for _, c := range []struct {
		name, src    string
		line, column int
		message      string
	}{
		{"a missing operand", "package exercise\n\nvar a = 1 +\n\nvar b = 2\n", 5, 1, "expected ';', found 'var'"},
		{"an open brace", "package exercise\n\nfunc F() {\n", 3, 12, "the file ends here"},
		{"no package", "var a = 1\n", 1, 1, "expected 'package'"},
		{"nothing", "", 1, 1, "the file is empty"},
		{"not UTF-8", "package exercise\n// \xff\n", 2, 4, "not valid UTF-8"},
		{"moved lines", "package exercise\n//line x.go:100\nvar a = )\n", 3, 9, "expected operand"},
	} {
		got, found := Format([]byte(c.src))
		if got != nil || len(found) == 0 {
			t.Errorf("%s: got %q and %v, want a remark", c.name, got, found)
			continue
		}
		if f := found[0]; f.Line != c.line || f.Column != c.column || !strings.Contains(f.Message, c.message) {
			t.Errorf("%s: got %+v, want %q at %d:%d", c.name, f, c.message, c.line, c.column)
		}
	}
}

// What would keep the parser or the printer busy for long is refused before they see it.
func TestFormatRefusesWhatWouldTakeLong(t *testing.T) {
	const size = 60 << 10
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	deep := func(open, inside, end string) string {
		return strings.Repeat(open, maxNesting-1) + inside + strings.Repeat(end, maxNesting-1)
	}
	for name, src := range map[string]string{
		"too large":               fill("// words\n") + fill("// words\n"),
		"parentheses":             "var a = " + fill("("),
		"operators":               "var a = 1" + fill("+b*c"),
		"unions":                  "type I interface { int" + fill("|int") + "}",
		"indexes":                 "var a = b" + fill("[1]"),
		"calls":                   "var a = b" + fill("()"),
		"many chains":             "var a = []int{" + fill("a"+strings.Repeat("+b*c", 200)+",\n") + "}",
		"many lines deep down":    "func f() " + deep("{\n", fill("a()\n"), "}\n"),
		"many operands deep down": "func f() { " + deep("f(\n", fill("a, //\n"), ")") + "}",
	} {
		if got, found := Format([]byte("package exercise\n\n" + src + "\n")); len(found) != 1 {
			t.Errorf("%s: got %d bytes and %v, want one remark", name, len(got), found)
		}
	}
}

func TestFormatLeavesTheCourseAsItIs(t *testing.T) {
	for _, pattern := range []string{"/*.go", "/wrong/*.go"} {
		files, err := filepath.Glob("../../lessons/course/*/exercises/*" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatal("no files:", err)
		}
		for _, file := range files {
			want := read(t, file)
			got, found := Format(want)
			if diff := cmp.Diff(string(want), string(got)); diff != "" || len(found) > 0 {
				t.Errorf("%s: %v (- want, + got):\n%s", file, found, diff)
			}
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add([]byte("package exercise\n\nvar a=1\n"))
	f.Add([]byte("package exercise\n//line x:9\nfunc f() { a[1+2](b) }\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		got, found := Format(src)
		if (got == nil) == (len(found) == 0) {
			t.Errorf("got %q and %v, want one of the two", got, found)
		}
		for _, d := range found {
			if d.Line < 1 || d.Column < 1 || d.Line > 2+strings.Count(string(src), "\n") {
				t.Errorf("the remark %+v is at no place of the file", d)
			}
		}
		if len(found) == 0 {
			if _, again := Format(got); len(again) > 0 && len(got) < DefaultLimits().Source {
				t.Errorf("what Format wrote cannot be read: %v\n%s", again, got)
			}
		}
	})
}
