package web

import (
	"math"
	"slices"
	"strconv"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/ring"
	"github.com/ringoftowers/towers/ring/census"
)

// A scene is what the first frame of a ring shows: the same measurements that the widget takes
// in the browser, taken here by the same package.
//
// Drawing is in two places, here and in src/drawing.ts, because one draws text for a page and
// the other updates a live picture; a test in a browser holds them to the same paths.
type scene struct {
	set           lessons.Ring
	census        *census.Census
	before, after []int
	follow        census.Rule
	arcs          []census.Arc
	ticks         []census.Tick
	letters       []census.Letter
	beacons       []beacon
}

// How much of a crowd or a ring a picture shows at most. On a circle of some 1 700 units no eye
// tells more stretches apart, and drawing stays quick.
const (
	mostArcs    = 2048
	mostTicks   = 2048
	mostLetters = 6000
	mostThreads = 900
	mostFlows   = 256
)

// newScene takes the measurements for a lesson's ring: a few milliseconds for thousands of
// letters, a few tenths of a second for a million.
func newScene(set lessons.Ring) *scene {
	s := &scene{set: set, before: numbered(set.Towers), follow: ruleOf(set.Follow)}
	s.after = numbered(set.Towers + set.Arrives)
	s.census = census.New(set.Letters, set.Seed, hashOf(set.Hash))
	s.census.Change(s.before, s.after, set.Points)
	s.arcs = s.census.AppendArcs(nil, mostArcs)
	s.ticks = s.census.AppendTicks(nil, mostTicks)
	s.letters = s.census.AppendSample(nil, s.follow, mostLetters)
	s.beacons = beacons(s.census, s.after)
	return s
}

func numbered(n int) []int {
	towers := make([]int, n)
	for i := range towers {
		towers[i] = i + 1
	}
	return towers
}

func ruleOf(name string) census.Rule {
	switch name {
	case "rendezvous":
		return census.Rendezvous
	case "modulo":
		return census.Modulo
	}
	return census.OnRing
}

func hashOf(name string) ring.Hash {
	switch name {
	case "fnv1a":
		return ring.FNV1a
	case "md5":
		return ring.MD5
	case "xx":
		return ring.XX
	}
	return ring.Mixed
}

// Geometry, in units of a square of 720.
const (
	centre   = 360.0
	bandAt   = 272.0
	lampAt   = 210.0
	lettersA = 227.0 // inner edge of the letters
	lettersB = 257.0
)

func angle(position uint32) float64 { return float64(position) / (1 << 32) * 2 * math.Pi }

// lane is how far from the centre a letter is drawn, so that neighbours do not cover each other.
func lane(rank int) float64 {
	_, part := math.Modf(float64(rank) * 0.6180339887)
	return lettersA + part*(lettersB-lettersA)
}

// pen writes the d attribute of a path with one decimal, which is finer than a pixel.
type pen struct{ d []byte }

func (p *pen) text(s string) *pen { p.d = append(p.d, s...); return p }

func (p *pen) number(x float64) *pen {
	p.d = strconv.AppendFloat(p.d, x, 'f', 1, 64)
	return p
}

func (p *pen) at(a, r float64) *pen {
	return p.number(centre + r*math.Sin(a)).text(" ").number(centre - r*math.Cos(a))
}

func (p *pen) String() string { return string(p.d) }

func (p *pen) arc(a census.Arc) {
	from, to := angle(a.From), angle(a.To)
	sweep := to - from
	if sweep <= 0 {
		sweep += 2 * math.Pi
	}
	if a.From == a.To { // one tower keeps the whole circle, which no single arc can draw
		p.text("M").at(from, bandAt).text("A272 272 0 1 1 ").at(from+math.Pi, bandAt).
			text("A272 272 0 1 1 ").at(from, bandAt)
		return
	}
	large := "0"
	if sweep > math.Pi {
		large = "1"
	}
	p.text("M").at(from, bandAt).text("A272 272 0 "+large+" 1 ").at(to, bandAt)
}

// inked is one path for each tower of the scene, in the order of the fleet.
type inked struct {
	tower int
	d     string
}

func (s *scene) inked(draw func(of func(tower int) *pen)) []inked {
	pens := make(map[int]*pen, len(s.after))
	for _, t := range s.after {
		pens[t] = &pen{}
	}
	draw(func(tower int) *pen {
		if p, ok := pens[tower]; ok {
			return p
		}
		p := &pen{}
		pens[tower] = p
		return p
	})
	paths := make([]inked, 0, len(s.after))
	for _, t := range s.after {
		paths = append(paths, inked{tower: t, d: pens[t].String()})
	}
	return paths
}

func (s *scene) arcPaths() []inked {
	return s.inked(func(of func(int) *pen) {
		for _, a := range s.arcs {
			of(a.Tower).arc(a)
		}
	})
}

func (s *scene) tickPaths() []inked {
	return s.inked(func(of func(int) *pen) {
		for _, t := range s.ticks {
			a := angle(t.Position)
			of(t.Tower).text("M").at(a, 284).text("L").at(a, 290)
		}
	})
}

func dot(p *pen, l census.Letter) {
	p.text("M").at(angle(l.Position), lane(l.Rank)).text("h0")
}

func (s *scene) letterPaths() []inked {
	return s.inked(func(of func(int) *pen) {
		for _, l := range s.letters {
			if l.Was == l.Is {
				dot(of(l.Is), l)
			}
		}
	})
}

// idlePath is the letters that no tower keeps, because none stands.
func (s *scene) idlePath() string {
	p := &pen{}
	for _, l := range s.letters {
		if l.Is == 0 {
			dot(p, l)
		}
	}
	return p.String()
}

// moved are the letters of the sample that changed hands and have a tower now.
func (s *scene) moved() []census.Letter {
	return slices.DeleteFunc(slices.Clone(s.letters), func(l census.Letter) bool {
		return l.Was == l.Is || l.Is == 0
	})
}

func (s *scene) movedPath() string {
	p := &pen{}
	for _, l := range s.moved() {
		dot(p, l)
	}
	return p.String()
}

// threadPath draws from each letter that moved to the lamp of its new tower, bent towards the
// centre; of very many it takes an even part.
func (s *scene) threadPath() string {
	home := make(map[int]float64, len(s.beacons))
	for _, b := range s.beacons {
		home[b.tower] = b.foot
	}
	moved := s.moved()
	step := (len(moved) + mostThreads - 1) / mostThreads
	p := &pen{}
	for i := 0; i < len(moved); i += max(step, 1) {
		l := moved[i]
		a, b := angle(l.Position), home[l.Is]
		bend := func(f func(float64) float64, sign float64) float64 {
			return centre + sign*0.2*(220*f(a)+lampAt*f(b))
		}
		p.text("M").at(a, lane(l.Rank)).text("Q").number(bend(math.Sin, 1)).text(" ").
			number(bend(math.Cos, -1)).text(" ").at(b, lampAt)
	}
	return p.String()
}
