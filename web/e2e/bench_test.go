package e2e

import (
	_ "embed"
	"fmt"
	"testing"
)

//go:embed testdata/widget-steps.js
var widgetSteps string

//go:embed testdata/plain-ring.js
var plainRing string

// BenchmarkWidget measures steps of the widget in a real browser, the counters included, beside
// a plain JavaScript ring in the same tab. Medians of 20 steps (of 5 for the plain ring), in
// milliseconds; "x" is how many times quicker the widget is.
func BenchmarkWidget(b *testing.B) {
	for _, c := range []struct{ letters, towers, points int }{
		{1_000_000, 100, 160},
		{2_000, 5, 1000},
	} {
		b.Run(fmt.Sprintf("letters=%d/towers=%d/points=%d", c.letters, c.towers, c.points), func(b *testing.B) {
			site := serveFolder(b, lessonOf(fmt.Sprintf("::ring{towers=%d points=%d letters=%d}", c.towers, c.points, c.letters)))
			p := open(b)
			p.media("prefers-reduced-motion: reduce") // a flight still under way would be measured with the next step
			p.visit(site.url + "/lessons/01-pictures")
			for b.Loop() {
				steps := eval[struct{ Slide, SlideWorker, Add, AddWorker float64 }](p, widgetSteps+"(20)")
				plain := eval[struct{ Median float64 }](p, fmt.Sprintf("%s(%d, %d, %d, 5)", plainRing, c.letters, c.towers, c.points))
				b.ReportMetric(steps.Slide, "ms/slider-step")
				b.ReportMetric(steps.SlideWorker, "ms/slider-worker")
				b.ReportMetric(steps.Add, "ms/tower-added")
				b.ReportMetric(steps.AddWorker, "ms/added-worker")
				b.ReportMetric(plain.Median, "ms/plain-js")
				b.ReportMetric(plain.Median/steps.Slide, "x-slider")
				b.ReportMetric(plain.Median/steps.Add, "x-added")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
