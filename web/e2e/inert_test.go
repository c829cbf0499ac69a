package e2e

import (
	"strings"
	"testing"
)

const hostile = `<script>document.title = "owned"</script><img src=x onerror='document.title = "owned"'><style>* { display: none }</style>&lt;b&gt;`

// harmless fails the test if anything that a learner wrote has become part of the page.
func (p *page) harmless(within string) {
	p.tb.Helper()
	if n := eval[int](p, `document.querySelectorAll(`+quoted(within)+`).length`); n != 1 {
		p.tb.Fatalf("there are %d of %s", n, within)
	}
	if n := eval[int](p, `document.querySelector(`+quoted(within)+`).querySelectorAll("script, img, style, iframe, [onerror], [onclick], b.x").length`); n != 0 {
		p.tb.Errorf("in %s %d elements have come from text", within, n)
	}
	if title := eval[string](p, "document.title"); title == "owned" {
		p.tb.Error("something has run that a learner wrote")
	}
}

// What a program prints and dies with is text: HTML stands there as it was written, and what
// would move a cursor or turn the line is written out.
func TestOutputIsText(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	body := "println(" + quoted(hostile) + ")\n\tprint(\"\\x1b[2J\\x1b]0;owned\\x07\\x1b[31mred \\u202egnihton\\x00\\r\\n\")\n" +
		"\tif len(points) == 0 {\n\t\tpanic(" + quoted(hostile) + ")\n\t}\n\treturn " + quoted(hostile) + ", true"
	d := p.desk(work.url + ownerPage)
	d.try(unique(t, strings.Replace(owner.Start, `return "", false`, body, 1)), "crashed")
	look := func() {
		t.Helper()
		eval[bool](p, `document.querySelectorAll("live-results details").forEach(fold => fold.open = true), true`)
		p.harmless("live-results")
		row := d.row("TestExactlyOnAPoint")
		printed := row.text("pre")
		if !strings.Contains(printed, hostile) {
			t.Errorf("the output is shown as %q", printed)
		}
		if strings.ContainsAny(printed, "\x1b\x00\x07\r\u202e") || !strings.Contains(printed, "red") {
			t.Errorf("of the output this is left: %q", printed)
		}
		if got := row.text(".got"); !strings.Contains(got, "<script>") {
			t.Errorf("what was got is shown as %q", got)
		}
		if died := d.row("TestNoPoints").text(".why"); !strings.Contains(died, "<script>") {
			t.Errorf("what it died with is shown as %q", died)
		}
	}
	look()
	d.desk(work.url + ownerPage + "?try=" + d.is("id"))
	look()
	if eval[bool](p, `document.querySelector("code-editor").canBeRich`) {
		if got := d.remarks(); len(got) != 1 || !strings.Contains(got[0], "<script>") {
			t.Errorf("in the editor stands %q", got)
		}
	}

	d.try(unique(t, owner.Start)+"var count int = "+quoted(hostile)+"\n", "build_error")
	p.harmless("live-results")
	if got := p.part(`ol[aria-label="What the compiler says"]`, 0).text("li"); !strings.Contains(got, "<script>") {
		t.Errorf("the compiler's words are shown as %q", got)
	}
}

// Names of tests are the learner's too, where tests are what they write.
func TestNamesOfTestsAreText(t *testing.T) {
	work, p := shop(t), open(t)
	code := "package exercise_test\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {\n\tt.Run(" + quoted(hostile) + ", func(t *testing.T) { t.Error(" + quoted(hostile) + ") })\n}\n"
	d := p.desk(work.url + seamPage)
	d.try(unique(t, code), "failed")
	eval[bool](p, `document.querySelectorAll("live-results details").forEach(fold => fold.open = true), true`)
	p.harmless("live-results")
	if got := d.row("TestX").text(".subtests"); !strings.Contains(got, "<script>") {
		t.Errorf("the subtest is shown as %q", got)
	}
}

func TestNamesOfPeopleAreText(t *testing.T) {
	work, p := shop(t), open(t)
	d := p.desk(work.url + ownerPage)
	d.write(set(t, "03-the-ring", "owner").Start + "// Kept.\n")
	d.saved()
	name := `<b class=x>` + stamp() + `</b>&amp;`
	p.signUp(name)
	p.harmless(".masthead")
	if got := p.signed(); !strings.Contains(got, name) {
		t.Errorf("the masthead says %q, want %q", got, name)
	}
	p.visit(work.url + "/account")
	p.harmless("main")
	if got := p.all().text("h1"); got != name {
		t.Errorf("the account says %q, want %q", got, name)
	}
}
