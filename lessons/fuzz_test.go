package lessons

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/ringoftowers/towers/lessons/formula"
)

// Whatever bytes an author leaves in a lesson, it loads, and the page that comes out has only
// what lessons may show.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		head + "Text <script>alert(1)</script> <b onclick=x style=y>.\n",
		head + "[x](javascript:alert(1)) ![y](data:text/html,z) <javascript:x> [z](# \"a' onclick=\\\"\")\n",
		head + "## A {#a .b onclick=x style=\"y\"}\n\n### B {style=x}\n",
		head + "```go {style=x}\nfunc f() { return \"<b>\" }\n```\n\n    indented <b>\n",
		head + "$\\color{red}{x}$ and $\\text{<b>}$\n\n$$\n\\frac{1\n$$\n",
		head + ":::quiz\n- [ ] <b>\n- [x] y\n\n  why\n:::\n:::predict{answer=1}\nA\n---\nB\n:::\n",
		head + ":::details{title=\"<b>\"}\n:::note\n- ::ring\n:::\n> :::rule\n> x\n",
		head + "|a|b|\n|:-|-:|\n|`x\\|y`|<b>|\n",
		"---\ntitle: [\n---\n::exercise{id=owner}\n",
		"---\ntitle: &a [*a]\nhints: {a: b}\n",
		"\xff\x00---\r\n\t- 1. > # ## ``` ::: $$",
	} {
		f.Add([]byte(seed))
	}
	lessons, err := filepath.Glob("course/*/lesson.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range lessons {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	formulas := formula.New() // shared, since it takes longer to start than a page to read
	f.Fuzz(func(t *testing.T, raw []byte) {
		all := owner.under("01-test/exercises/owner").with(files{"01-test/lesson.md": string(raw), "01-test/exercises/owner/task.md": string(raw)})
		library := Open(all.fs(), "course")
		library.reader.formulas = formulas
		c, err := library.Course(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l := c.Lessons[0]
		for _, p := range l.Problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" || p.File == "" {
				t.Errorf("a problem without a place: %+v", p)
			}
		}
		for _, text := range htmlOf(append(l.Body, l.Exercises[0].Task...)) {
			checkSafe(t, text)
		}
		checkIDs(t, l)
		for _, hint := range append(l.Exercises[0].Hints, l.Exercises[0].Summary) {
			checkSafe(t, hint)
		}
	})
}

// htmlOf gives every piece of HTML in blocks.
func htmlOf(blocks []Block) []string {
	var all []string
	for _, b := range blocks {
		switch b := b.(type) {
		case HTML:
			all = append(all, b.Text)
		case Heading:
			all = append(all, b.HTML)
		case Predict:
			all = append(all, b.Ask, b.Reveal)
		case Details:
			all = append(all, htmlOf(b.Body)...)
		case Quiz:
			all = append(all, b.Ask)
			for _, c := range b.Choices {
				all = append(all, c.HTML, c.Why)
			}
		case Note:
			all = append(all, b.HTML)
		case Rule:
			all = append(all, b.HTML)
		}
	}
	return all
}

// shown are the elements of a page's prose that are not MathML.
const shown = " p bdi em strong del code pre span ul ol li blockquote hr br h3 h4 h5 h6 a div table thead tbody tr th td "

// checkSafe reads HTML as a browser does and finds what should not be in it.
func checkSafe(t *testing.T, text string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(text))
	math := 0
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if !errors.Is(tokens.Err(), io.EOF) {
				t.Errorf("no HTML, %v: %s", tokens.Err(), text)
			}
			return
		case html.CommentToken, html.DoctypeToken:
			t.Errorf("%s in %s", tokens.Raw(), text)
		case html.EndTagToken:
			if name, _ := tokens.TagName(); string(name) == "math" {
				math--
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			token := tokens.Token()
			if token.Data == "math" {
				math++
			}
			if math == 0 && !strings.Contains(shown, " "+token.Data+" ") {
				t.Errorf("<%s> in %s", token.Data, text)
			}
			for _, a := range token.Attr {
				checkAttribute(t, a, text)
			}
		}
	}
}

// checkIDs finds ids of a lesson and its tasks that stand twice in the page, or are its own.
func checkIDs(t *testing.T, l *Lesson) {
	t.Helper()
	seen := make(map[string]bool)
	for _, id := range idsOf(l.Body) {
		if seen[id] || reserved(id) {
			t.Errorf("the id %s stands twice or is the page's own", id)
		}
		seen[id] = true
	}
	for _, e := range l.Exercises {
		if ids := idsOf(e.Task); len(ids) > 0 {
			t.Errorf("the task %s has the ids %v", e.ID, ids)
		}
	}
}

// idsOf gives the ids that an author's text gave to blocks and in HTML.
func idsOf(blocks []Block) []string {
	var all []string
	for _, b := range blocks {
		switch b := b.(type) {
		case Heading:
			all = append(all, b.ID)
		case Predict:
			all = append(all, b.ID)
		case Quiz:
			all = append(all, b.ID)
		}
	}
	for _, text := range htmlOf(blocks) {
		tokens := html.NewTokenizer(strings.NewReader(text))
		for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
			for _, a := range tokens.Token().Attr {
				if a.Key == "id" {
					all = append(all, a.Val)
				}
			}
		}
	}
	return all
}

func checkAttribute(t *testing.T, a html.Attribute, text string) {
	t.Helper()
	switch {
	case a.Key == "style", a.Key == "src", strings.HasPrefix(a.Key, "on"):
		t.Errorf("the attribute %s in %s", a.Key, text)
	case a.Key == "href":
		for _, good := range []string{"https://", "http://", "mailto:", "#", "/lessons/"} {
			if strings.HasPrefix(strings.ToLower(a.Val), good) {
				return
			}
		}
		t.Errorf("a link to %q in %s", a.Val, text)
	}
}
