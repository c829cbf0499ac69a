package web

import "testing"

func TestFiguresStandAmongCapitals(t *testing.T) {
	for text, want := range map[string]string{
		"Beside it":         "Beside it",
		"Lesson 12":         `Lesson <span class="figure">12</span>`,
		`"7"`:               `&#34;<span class="figure">7</span>&#34;`,
		"404":               `<span class="figure">404</span>`,
		"RFC 3339 <b> & 1x": `RFC <span class="figure">3339</span> &lt;b&gt; &amp; <span class="figure">1</span>x`,
	} {
		if got := render(t, capitals(text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
