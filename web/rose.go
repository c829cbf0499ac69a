package web

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/ringoftowers/towers/ring/census"
)

// A rose shows who gave letters to whom: the towers on a small circle, a line for each pair
// that traded, as wide as the traffic.
type rose struct {
	lines []roseLine
	dots  []roseDot
	size  string // the radius of a dot
}

type roseLine struct {
	needed         bool // the tower that came or went is one of its ends
	x1, y1, x2, y2 string
	width          string
}

type roseDot struct {
	tower int
	x, y  string
}

// rose draws the traffic of one rule; of very many pairs only the busiest.
func (s *scene) rose(rule census.Rule) rose {
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.before, s.after))))
	r := rose{size: fixed(dotSize(len(all)))}
	place := make(map[int]roseDot, len(all))
	for i, tower := range all {
		a := 2 * math.Pi * float64(i) / float64(len(all))
		d := roseDot{tower: tower, x: fixed(24 * math.Sin(a)), y: fixed(-24 * math.Cos(a))}
		place[tower] = d
		r.dots = append(r.dots, d)
	}
	flows := s.census.AppendFlows(nil, rule)
	slices.SortStableFunc(flows, func(a, b census.Flow) int { return cmp.Compare(b.Letters, a.Letters) })
	flows = flows[:min(len(flows), mostFlows)]
	for _, f := range flows {
		from, to := place[f.From], place[f.To]
		width := max(0.5, float64(f.Letters)/float64(s.census.Letters())*46)
		r.lines = append(r.lines, roseLine{
			needed: !s.stays(f.From) || !s.stays(f.To),
			x1:     from.x, y1: from.y, x2: to.x, y2: to.y,
			width: strconv.FormatFloat(width, 'f', 2, 64),
		})
	}
	slices.SortStableFunc(r.lines, func(a, b roseLine) int { return order(a.needed) - order(b.needed) })
	return r
}

// dotSize is the radius of each of n dots on the circle of a rose: with very many it is small
// enough to leave a gap between them.
func dotSize(n int) float64 { return min(3.2, 53/float64(max(n, 1))) }

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

func (s *scene) stays(tower int) bool {
	return slices.Contains(s.before, tower) && slices.Contains(s.after, tower)
}
