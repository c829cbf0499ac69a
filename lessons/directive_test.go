package lessons

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// describe writes a directive as the tables below do: colons, name, attributes with the
// places of their values, then the mistakes.
func describe(d directive) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d %s", d.colons, d.name)
	for _, a := range d.attributes {
		fmt.Fprintf(&out, " %s@%d=%q@%d", a.name, a.at, a.value, a.valueAt)
	}
	for _, m := range d.mistakes {
		fmt.Fprintf(&out, "\n%d: %s", m.at, m.message)
	}
	return out.String()
}

func TestScanDirective(t *testing.T) {
	for line, want := range map[string]string{
		"::ring":                            "2 ring",
		"  ::ring{}":                        "2 ring",
		"::ring { towers=4 }":               `2 ring towers@9="4"@16`,
		"::ring{towers=4 hash=mixed}":       `2 ring towers@7="4"@14 hash@16="mixed"@21`,
		`::ring{caption="two words" a=b}`:   `2 ring caption@7="two words"@16 a@27="b"@29`,
		`::ring{a="say \"go\" \\ \n" b=""}`: `2 ring a@7="say \"go\" \\ \\n"@10 b@28=""@31`,
		"::ring{a=ż}":                       `2 ring a@7="ż"@9`,
		":::note":                           "3 note",
		":::":                               "3 ",
		"  :::":                             "3 ",
		"::::":                              "4 \n0: 4 colons; expected three, since one container never stands within another",
		"::::note":                          "4 note\n0: 4 colons; expected three, since one container never stands within another",
		"::: note":                          "3 note\n3: a space before the name; expected `:::note`",
		":::note text":                      "3 note\n8: text after the directive; expected it alone on its line",
		"::ring{} text":                     "2 ring\n9: text after the directive; expected it alone on its line",
		"::ring{towers=4":                   "2 ring towers@7=\"4\"@14\n6: `{` is not closed; expected `}` before the end of the line",
		"::ring{":                           "2 ring\n6: `{` is not closed; expected `}` before the end of the line",
		`::ring{a="b}`:                      "2 ring a@7=\"b\"@10\n9: the quote is not closed; expected `\"` before the end of the line\n6: `{` is not closed; expected `}` before the end of the line",
		"::ring{towers}":                    "2 ring\n7: `towers` is no attribute; expected `name=value`, or `name=\"two words\"`",
		"::ring{towers= hash=xx}":           "2 ring hash@15=\"xx\"@20\n14: `towers` has no value; expected one after `=`",
		"::ring{=4 a=1}":                    "2 ring a@10=\"1\"@12\n7: `=4` is no attribute; expected `name=value`, or `name=\"two words\"`",
		`::ring{"a b" c=1}`:                 "2 ring c@13=\"1\"@15\n7: `\"a b\"` is no attribute; expected `name=value`, or `name=\"two words\"`",
		"::ring{a=two words}":               "2 ring a@7=\"two\"@9\n13: `words` is no attribute; expected `name=value`, or `name=\"two words\"`",
	} {
		d, ok := scanDirective(line)
		if !ok {
			t.Errorf("%q is no directive, want %s", line, want)
		} else if got := describe(d); got != want {
			t.Errorf("%q\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestNoDirective(t *testing.T) {
	for _, line := range []string{"", ":", "::", ":ring", ":: ring", "::4", "::ż", ":::4", "::: ", "text ::ring", "::::: x4"} {
		if d, ok := scanDirective(line); ok && d.name != "" && len(d.mistakes) == 0 {
			t.Errorf("%q is the directive %s", line, describe(d))
		}
	}
}

// What is written with quotes and escapes is read back as it was.
func TestAttributesSurvive(t *testing.T) {
	name := rapid.StringMatching(`[a-z]{1,8}`)
	value := rapid.StringMatching(`[^\n\t"\\]{0,12}(\\|")?[^\n\t"\\]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(name, 0, 5).Draw(t, "names")
		line, want := "::ring{", make([]string, 0, len(names))
		for _, n := range names {
			v := value.Draw(t, "value")
			line += fmt.Sprintf(`%s="%s" `, n, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v))
			want = append(want, n+"="+v)
		}
		d, ok := scanDirective(line + "}")
		if !ok || len(d.mistakes) > 0 {
			t.Fatalf("%s: %v %s", line, ok, describe(d))
		}
		got := make([]string, 0, len(names))
		for _, a := range d.attributes {
			got = append(got, a.name+"="+a.value)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s\n got %q\nwant %q", line, got, want)
		}
	})
}

// Every place that the scanner gives is within the line, and where it says.
func FuzzScanDirective(f *testing.F) {
	for _, seed := range []string{"::ring{a=1}", ":::note{title=\"x y\"}", "::a{\"", "::a{=}", ":::", "::a{b=\"\\", "::ą{b=ć}", "::a{b=c}d{e=f}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		d, ok := scanDirective(line)
		if !ok {
			return
		}
		if d.name != line[d.nameAt:d.nameAt+len(d.name)] {
			t.Errorf("%q: the name %q is not at %d", line, d.name, d.nameAt)
		}
		for _, a := range d.attributes {
			if a.name != line[a.at:a.at+len(a.name)] || a.valueAt > len(line) {
				t.Errorf("%q: the attribute %q is not at %d", line, a.name, a.at)
			}
		}
		for _, m := range d.mistakes {
			if m.at < 0 || m.at > len(line) {
				t.Errorf("%q: a mistake at %d: %s", line, m.at, m.message)
			}
		}
	})
}
