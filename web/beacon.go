package web

import (
	"cmp"
	"math"
	"slices"

	"github.com/ringoftowers/towers/ring/census"
)

// A beacon marks a tower outside the ring: its foot on the tower's first virtual node, its
// topmark and name where there is room.
type beacon struct {
	tower  int
	foot   float64 // angle of point number 0
	spread float64 // angle of the topmark, kept apart from its neighbours'
}

// apart is the least angle between two names.
const apart = 0.3

// mostNames is how many towers can be named around the ring before names would touch.
const mostNames = 20

// beacons places a fleet's beacons clockwise. Names too near to each other are pushed apart
// step by step; sixty steps settle any fleet that has room at all.
func beacons(c *census.Census, fleet []int) []beacon {
	bs := make([]beacon, len(fleet))
	for i, tower := range fleet {
		a := angle(c.Home(tower))
		bs[i] = beacon{tower: tower, foot: a, spread: a}
	}
	slices.SortFunc(bs, func(a, b beacon) int { return cmp.Or(cmp.Compare(a.foot, b.foot), a.tower-b.tower) })
	if len(bs) < 2 || len(bs) > mostNames {
		return bs
	}
	for range 60 {
		for i := range bs {
			next := &bs[(i+1)%len(bs)]
			gap := next.spread - bs[i].spread
			if i == len(bs)-1 {
				gap += 2 * math.Pi
			}
			if gap < apart {
				bs[i].spread -= (apart - gap) / 2
				next.spread += (apart - gap) / 2
			}
		}
	}
	return bs
}

// mast runs from the foot on the ring to the topmark.
func (b beacon) mast() string {
	p := &pen{}
	p.text("M").at(b.foot, 283).text("L").at(b.foot, 299).text("L").at(b.spread, 308)
	return p.String()
}

// quarters are the positions written outside the scale, where no name stands in the way.
func quarters(bs []beacon) []quarter {
	all := []quarter{{"0", 360, 46}, {"2³⁰", 674, 360}, {"2³¹", 360, 674}, {"3·2³⁰", 36, 360}}
	if len(bs) > mostNames {
		return all
	}
	var free []quarter
	for i, q := range all {
		near := slices.ContainsFunc(bs, func(b beacon) bool {
			d := b.spread - float64(i)*math.Pi/2
			return math.Abs(math.Atan2(math.Sin(d), math.Cos(d))) < 0.16
		})
		if !near {
			free = append(free, q)
		}
	}
	return free
}

type quarter struct {
	text string
	x, y float64
}

// colour and mark tell a tower's ink and daymark, 1 to 8 each: from the ninth on the colour
// returns with the next mark, so that 64 towers differ.
func colour(tower int) int { return (tower-1)%8 + 1 }

func mark(tower int) int { return (tower-1+(tower-1)/8)%8 + 1 }
