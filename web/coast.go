package web

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ringoftowers/towers/lessons"
)

// A strait is the chart of a course: a lighthouse for each lesson, the odd ones on the south
// shore and the even ones on the north, and a route past all of them. It is drawn for any
// number of lessons and always comes out the same.
type strait struct {
	north, south string // the two coasts, as closed paths
	route        string
	lights       []light
	soundings    []sounding
	zones        []zone
}

// light is a lesson's place on the chart.
type light struct {
	lesson *lessons.Lesson
	north  bool
	x, y   float64 // foot of the lighthouse
	staffA float64 // the line to its label
	staffB float64
}

type sounding struct {
	x, y float64
	text string
}

// zone is a level and the lessons that it covers.
type zone struct {
	name, level string
	from, to    float64
}

// The chart, in units of its own.
const (
	chartWidth  = 1224.0
	chartHeight = 690.0
	chartMargin = 30.0  // before the first lesson's column
	chartEnd    = 100.0 // after the last one's: its label reaches past it
	lightAt     = 0.3   // where in its column a light stands, as css/chart.css knows too
	northShore  = 232.0 // where the capes are, about
	southShore  = 436.0
	bayDepth    = 62.0
)

func newStrait(ls []*lessons.Lesson) strait {
	rng := rand.New(rand.NewPCG(3, 2000))
	var s strait
	column := (chartWidth - chartMargin - chartEnd) / float64(max(len(ls), 1))
	for i, l := range ls {
		at := light{lesson: l, north: l.Number%2 == 0, x: chartMargin + column*(float64(i)+lightAt)}
		drift := 34 * (rng.Float64() - 0.5)
		if at.north {
			at.y, at.staffA = northShore+drift, 58
			at.staffB = at.y - 36
		} else {
			at.y, at.staffA = southShore+drift, chartHeight-44
			at.staffB = at.y
		}
		s.lights = append(s.lights, at)
	}
	s.north = coast(rng, s.capes(true), -30, northShore-bayDepth, 1)
	s.south = coast(rng, s.capes(false), chartHeight+30, southShore+bayDepth, -1)
	s.route = route(s.lights)
	s.sound(rng)
	s.zone(column)
	return s
}

type point struct{ x, y float64 }

// capes are the lighthouses of one shore: each stands on a cape of its own.
func (s *strait) capes(north bool) []point {
	var ps []point
	for _, l := range s.lights {
		if l.north == north {
			ps = append(ps, point{l.x, l.y})
		}
	}
	return ps
}

// coast runs from edge to edge through the capes, with bays between them, and closes along
// the border of the chart.
func coast(rng *rand.Rand, capes []point, border, bay, seaward float64) string {
	line := []point{{-20, bay + seaward*bayDepth*0.4}}
	for _, c := range capes {
		before := line[len(line)-1]
		gap := c.x - before.x
		for x := before.x + 150; x < c.x-90; x += 130 + 50*rng.Float64() {
			line = append(line, point{x, bay + seaward*46*(rng.Float64()-0.35)})
		}
		if gap > 60 {
			line = append(line, point{c.x - 34 - 8*rng.Float64(), c.y - seaward*16})
		}
		line = append(line, point{c.x - 9, c.y + seaward*2}, point{c.x + 9, c.y + seaward*2},
			point{c.x + 36 + 8*rng.Float64(), c.y - seaward*18})
	}
	for x := line[len(line)-1].x + 130; x < chartWidth-60; x += 130 + 50*rng.Float64() {
		line = append(line, point{x, bay + seaward*46*(rng.Float64()-0.35)})
	}
	line = append(line, point{chartWidth + 20, bay + seaward*bayDepth*0.3})
	p := &pen{}
	p.text("M-20 ").number(border).text("L").number(line[0].x).text(" ").number(line[0].y)
	for i := 1; i < len(line); i++ {
		rough(rng, p, line[i-1], line[i], 4)
	}
	return p.text("L").number(chartWidth + 20).text(" ").number(border).text("Z").String()
}

// rough draws from a to b as a shore does it: each half bends a little, and its halves again.
func rough(rng *rand.Rand, p *pen, a, b point, depth int) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if depth == 0 || length < 9 {
		p.text("L").number(b.x).text(" ").number(b.y)
		return
	}
	bend := (rng.Float64() - 0.5) * 0.26
	middle := point{(a.x+b.x)/2 - bend*(b.y-a.y), (a.y+b.y)/2 + bend*(b.x-a.x)}
	rough(rng, p, a, middle, depth-1)
	rough(rng, p, middle, b, depth-1)
}

// route swings towards every light in turn, and out of the strait.
func route(ls []light) string {
	p := &pen{}
	last := leg(p, ls)
	sail(p, last, point{chartWidth + 10, 340})
	return p.String()
}

// sailed is the route up to a lesson, and where the boat is then: off its light.
func (s *strait) sailed(l *lessons.Lesson) (path string, boat point) {
	p := &pen{}
	i := slices.IndexFunc(s.lights, func(at light) bool { return at.lesson == l })
	boat = leg(p, s.lights[:i+1])
	return p.String(), boat
}

// leg draws the way into the strait and past lights, and gives its end.
func leg(p *pen, ls []light) point {
	last := point{-10, 342}
	p.text("M").number(last.x).text(" ").number(last.y)
	for _, l := range ls {
		next := point{l.x, 360}
		if l.north {
			next.y = 322
		}
		sail(p, last, next)
		last = next
	}
	return last
}

// sail draws one bend of the route.
func sail(p *pen, last, next point) {
	third := (next.x - last.x) / 2.4
	p.text("C").number(last.x + third).text(" ").number(last.y).text(" ").
		number(next.x - third).text(" ").number(next.y).text(" ").number(next.x).text(" ").number(next.y)
}

// sound scatters soundings over the water: the minutes of the nearest lesson, less inshore.
func (s *strait) sound(rng *rand.Rand) {
	if len(s.lights) == 0 {
		return
	}
	for x := 60.0; x < chartWidth-40; x += 74 {
		for _, lane := range []float64{292, 338, 384} {
			at := point{x + 44*(rng.Float64()-0.5), lane + 16*(rng.Float64()-0.5)}
			near := s.nearest(at)
			distance := math.Hypot(near.x-at.x, near.y-at.y)
			if distance < 62 || math.Abs(at.y-341) < 26 && rng.Float64() < 0.85 || rng.Float64() < 0.3 {
				continue
			}
			inshore := min(1, math.Abs(at.y-341)/90)
			depth := int(float64(max(near.lesson.Minutes, 8))*(1.1-0.55*inshore) + 0.5)
			s.soundings = append(s.soundings, sounding{at.x, at.y, grouped(depth)})
		}
	}
}

func (s *strait) nearest(p point) light {
	best := s.lights[0]
	for _, l := range s.lights {
		if math.Abs(l.x-p.x) < math.Abs(best.x-p.x) {
			best = l
		}
	}
	return best
}

// zone names the stretches of water that the levels cover.
func (s *strait) zone(column float64) {
	names := map[lessons.Level]string{lessons.Beginner: "Inshore", lessons.Middle: "The narrows", lessons.Senior: "Open water"}
	for i, l := range s.lights {
		level, from := l.lesson.Level, chartMargin+column*float64(i)
		if n := len(s.zones); n > 0 && s.zones[n-1].level == string(level) {
			s.zones[n-1].to = from + column
			continue
		}
		if name, known := names[level]; known {
			s.zones = append(s.zones, zone{name: name, level: string(level), from: from, to: from + column})
		}
	}
}
