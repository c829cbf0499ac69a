package formula

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
)

// withTemml gives a renderer that really renders, or ends the test with the reason why not.
func withTemml(t testing.TB) *Renderer {
	t.Helper()
	if !Available() {
		t.Skip("dist/temml.js is missing: `make build` fetches it where npm is there")
	}
	return New()
}

func TestHTML(t *testing.T) {
	r := withTemml(t)
	for _, c := range []struct {
		tex     string
		display bool
		want    string
	}{
		{`\frac{1}{N+1}`, false, `<math><mfrac><mn>1</mn><mrow><mi>N</mi><mo>+</mo><mn>1</mn></mrow></mfrac></math>`},
		{`\frac15`, true, `<math display="block"><mfrac><mn>1</mn><mn>5</mn></mfrac></math>`},
		{`\sum_{i=1}^{n} x_i`, true, `<math display="block"><mrow><mrow><munderover><mo movablelimits="false">∑</mo>` +
			`<mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover></mrow><msub><mi>x</mi><mi>i</mi></msub></mrow></math>`},
		{`\sqrt{2}`, false, `<math><msqrt><mn>2</mn></msqrt></math>`},
		{`x_1^2`, false, `<math><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>`},
		{`2^{32}-1`, false, `<math><mrow><msup><mn>2</mn><mn>32</mn></msup><mo>−</mo><mn>1</mn></mrow></math>`},
		{`\text{ring} \approx 3`, false, `<math><mrow><mtext>ring</mtext><mo>≈</mo><mn>3</mn></mrow></math>`},
		{`\lceil x \rceil`, false, `<math><mrow><mo fence="true" form="prefix" stretchy="false">⌈</mo><mi>x</mi>` +
			`<mo fence="true" form="postfix" stretchy="false">⌉</mo></mrow></math>`},
		{`-w/\ln u`, false, `<math><mrow><mo form="prefix" stretchy="false">−</mo><mi>w</mi><mi>/</mi>` +
			`<mrow><mspace width="0.1667em"></mspace><mi>ln</mi><mo>` + "\u2061" + `</mo><mspace width="0.1667em"></mspace></mrow><mi>u</mi></mrow></math>`},
		{`a \cdot b`, false, `<math><mrow><mi>a</mi><mo>⋅</mo><mi>b</mi></mrow></math>`},
		{`\begin{aligned} a &= b \end{aligned}`, true, `<math display="block"><mtable displaystyle="true"><mtr>` +
			`<mtd class="math-right"><mi>a</mi></mtd><mtd class="math-left"><mrow><mo>=</mo><mi>b</mi></mrow></mtd></mtr></mtable></math>`},
		{`\text{<script>}`, false, `<math><mtext>&lt;script&gt;</mtext></math>`},
		{`\color{red}{x}`, false, `<math><mrow><mi>x</mi></mrow></math>`},
	} {
		got, err := r.HTML(c.tex, c.display)
		if err != nil || got != c.want {
			t.Errorf("%s\n got %s (%v)\nwant %s", c.tex, got, err, c.want)
		}
	}
}

func TestMistakesHaveTheirPlace(t *testing.T) {
	r := withTemml(t)
	for _, c := range []struct {
		tex     string
		offset  int
		message string
	}{
		{`a + \foo`, 4, `formula: unsupported function name: \foo`},
		{`\frac{`, 6, `formula: unexpected end of input in a macro argument, expected '}'`},
		{`é = \foo`, 4, `formula: unsupported function name: \foo`},
		{`\text{é😀}`, 7, `formula: unexpected character`},
		{`a }`, 2, `formula: expected 'EOF', got '}'`},
		{`\def\a{\a\a}\a`, 0, `formula: too many expansions`},
		{`\href{javascript:alert(1)}{x}`, 0, `formula: unsupported function name: \href`},
		{`\class{a}{x}`, 0, `formula: function "\class" is not trusted`},
		{`\ref{x}`, 0, `formula: it needs <a>`},
		{`\cancel{x}`, 0, `formula: it needs <menclose>`},
		{strings.Repeat("é", 3000), 2048, "longer than 4096 bytes"},
		{"\xff", 0, "not UTF-8"},
	} {
		got, err := r.HTML(c.tex, false)
		mistake := (*Error)(nil)
		if !errors.As(err, &mistake) {
			t.Errorf("%.40s gives %q and error %v, want an *Error", c.tex, got, err)
			continue
		}
		if mistake.Offset != c.offset || !strings.Contains(mistake.Error(), c.message) {
			t.Errorf("%.40s: %d: %s, want %d: %s", c.tex, mistake.Offset, mistake, c.offset, c.message)
		}
	}
}

// A formula nested too deeply is an accident of the interpreter, after which it starts anew.
func TestAnAccidentSpoilsNothing(t *testing.T) {
	r := withTemml(t)
	deep := strings.Repeat("{", 1500) + "x" + strings.Repeat("}", 1500)
	if out, err := r.HTML(deep, false); err == nil {
		t.Errorf("1500 braces gave %d bytes and no error", len(out))
	}
	if out, err := r.HTML("x", false); err != nil || out != "<math><mi>x</mi></math>" {
		t.Errorf("after that, x gives %q, %v", out, err)
	}
}

func TestWithoutTemml(t *testing.T) {
	got, err := newRenderer("").HTML(`a < \frac{`, true)
	if want := `<code class="tex">a &lt; \frac{</code>`; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestABrokenScriptIsAnError(t *testing.T) {
	for script, want := range map[string]string{
		"var x = 1":            "defines no temml",
		"var temml = {}":       "no function renderToString",
		"this is not a script": "run temml.js",
		"var temml = {renderToString: () => { throw 1 }}":    "the renderer of formulas failed",
		"var temml = {renderToString: () => '<math x=<'}":    "read the rendered formula",
		"var temml = {renderToString: () => '<b>x</b>'}":     "it needs <b>",
		"var temml = {renderToString: function f() { f() }}": "too deeply nested",
		"var temml = {renderToString: () => { for (;;); }}":  "takes longer than",
	} {
		if _, err := newRenderer(script).HTML("x", false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", script, err, want)
		}
	}
}

// An accident may pass, a mistake in the TeX does not.
func TestWhatIsRemembered(t *testing.T) {
	const works = "var temml = {renderToString: () => '<math><mi>x</mi></math>'}"
	for _, c := range []struct {
		name, script string
		remembered   bool
	}{
		{"a formula", works, true},
		{"a mistake", "var temml = {renderToString: () => { throw {name: 'ParseError', message: 'no', position: 0} }}", true},
		{"no start", "var x = 1", false},
		{"time is up", "var temml = {renderToString: () => { for (;;); }}", false},
		{"an accident", "var temml = {renderToString: () => { throw 1 }}", false},
	} {
		r := newRenderer(c.script)
		first, failed := r.HTML("x", false)
		r.script, r.engine = works, nil
		again, err := r.HTML("x", false)
		switch {
		case c.remembered && (again != first || !errors.Is(err, failed)):
			t.Errorf("%s: first %q, %v; then %q, %v", c.name, first, failed, again, err)
		case !c.remembered && (failed == nil || err != nil || again != "<math><mi>x</mi></math>"):
			t.Errorf("%s: first %q, %v; later %q, %v; want the formula", c.name, first, failed, again, err)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	r := withTemml(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, tex := range []string{"x", `\frac12`, `\foo`, "x"} {
				if _, err := r.HTML(tex, false); (err != nil) != (tex == `\foo`) {
					t.Errorf("%s: %v", tex, err)
				}
			}
		})
	}
	all.Wait()
}

// Whatever the TeX, what comes out has only the elements and attributes that are allowed.
func FuzzHTML(f *testing.F) {
	for _, seed := range []string{`\frac{1}{2}`, `\begin{array}{c|c} a & b \\ \hline c & d\end{array}`, `\color{red}\boxed{x}`,
		`\text{a $x$ <b>}`, `\sqrt[3]{x}`, `\href{http://a}{b}`, `\mathrm{onclick="x"}`, `\underbrace{a}_b`, `"'&<>`} {
		f.Add(seed)
	}
	r := withTemml(f)
	f.Fuzz(func(t *testing.T, tex string) {
		out, err := r.HTML(tex, true)
		if err != nil {
			return
		}
		in := xml.NewDecoder(strings.NewReader(out))
		for {
			token, err := in.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatalf("%q gives what cannot be read, %v: %s", tex, err, out)
			}
			tag, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if !listed(elements, tag.Name.Local) {
				t.Fatalf("%q gives <%s>: %s", tex, tag.Name.Local, out)
			}
			for _, a := range tag.Attr {
				aligned := a.Name.Local == "class" && (a.Value == "math-left" || a.Value == "math-right")
				if !aligned && !listed(attributes, a.Name.Local) {
					t.Fatalf("%q gives the attribute %s: %s", tex, a.Name.Local, out)
				}
			}
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	r := withTemml(b)
	for b.Loop() {
		clear(r.cache)
		if _, err := r.HTML(`\frac{1}{N+1} = \frac15`, true); err != nil {
			b.Fatal(err)
		}
	}
}
