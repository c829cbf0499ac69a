package e2e

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed testdata/submit-steps.js
var submitSteps string

//go:embed testdata/remark-steps.js
var remarkSteps string

// BenchmarkSubmit sends 20 different programs in and measures what the page, the network, the
// queue and the store add to the checker's own time, from the press of the button until the
// verdict is on the screen. In milliseconds; the checker's own are whole ones.
func BenchmarkSubmit(b *testing.B) {
	owner := set(b, "03-the-ring", "owner")
	work, p := shop(b), open(b)
	d := p.desk(work.url + ownerPage)
	d.warm()
	eval[bool](p, submitSteps)
	passes, fails, run := owner.Solution, wrongOne(b, owner, "gives-up"), stamp()
	for b.Loop() {
		var added, shown, checker []float64
		for i := range 21 {
			code, want := passes, "passed"
			if i%2 == 1 {
				code, want = fails, "failed"
			}
			took := eval[struct {
				Shown, Checker float64
				Verdict        string
			}](p, "submit("+quoted(fmt.Sprintf("%s\nvar try%d = %q\n", code, i, run))+")")
			if took.Verdict != want {
				b.Errorf("the verdict on program %d is %q, want %q", i+1, took.Verdict, want)
			}
			if i > 0 { // the first one opens the connection
				added, shown, checker = append(added, took.Shown-took.Checker), append(shown, took.Shown), append(checker, took.Checker)
			}
		}
		b.ReportMetric(quantile(added, 0.5), "ms/added-p50")
		b.ReportMetric(quantile(added, 0.95), "ms/added-p95")
		b.ReportMetric(quantile(shown, 0.5), "ms/shown-p50")
		b.ReportMetric(quantile(checker, 0.5), "ms/checker-p50")
		b.ReportMetric(0, "ns/op")
	}
}

// BenchmarkRemarks types 40 words that nobody declared, one key after the other, and measures
// how long after the last key of each the remark about it is shown. The page's own rest before
// it asks is in that time; package e2e cannot tell the two apart, see type-remarks.ts.
func BenchmarkRemarks(b *testing.B) {
	work, p := shop(b), open(b)
	d := p.desk(work.url + ownerPage)
	d.needRich()
	d.warm()
	eval[bool](p, remarkSteps)
	p.all().focus("textbox", "owner.go")
	p.press(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	for b.Loop() {
		p.press("var count = ")
		var took []float64
		for i := range 40 {
			word := "nobody" + strings.Repeat(string(rune('a'+i%26)), 1+i/26)
			eval[bool](p, `(expectRemark(`+quoted(word)+`), true)`)
			p.press(word)
			p.wait(fmt.Sprintf(`edits.length === %d`, i+1))
			took = append(took, eval[float64](p, `edits.at(-1).Took`))
			for range word {
				p.press(kb.Backspace)
			}
		}
		b.ReportMetric(quantile(took, 0.5), "ms/remark-p50")
		b.ReportMetric(quantile(took, 0.95), "ms/remark-p95")
		b.ReportMetric(0, "ns/op")
	}
}

// quantile gives the value below which that share of the values is.
func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}
