package web

import (
	"math"
	"slices"
	"strconv"
)

// fewPoints is up to how many virtual nodes a tower's arcs are wide enough to carry its light.
const fewPoints = 6

// title is what a screen reader says of the picture.
func (s *scene) title() string {
	return "A ring of " + plural(len(s.after), "tower", "towers") + " with " +
		plural(s.set.Points, "virtual node", "virtual nodes") + " each and " +
		plural(s.census.Letters(), "letter", "letters")
}

// hub is the number at the centre and the words under it.
func (s *scene) hub() (big, small string) {
	switch {
	case len(s.after) == 0:
		return "–", "no tower"
	case s.set.Arrives == 0:
		return grouped(s.census.Letters()), "letters"
	}
	moved := s.census.Tally(s.follow).Moved
	return grouped(moved), percent(float64(moved), s.census.Letters()) + " moved"
}

func (s *scene) fresh(tower int) bool { return !slices.Contains(s.before, tower) }

// crowded says that names and topmarks would cover each other, so there are none.
func (s *scene) crowded() bool { return len(s.beacons) > mostNames }

// ink is the class of a tower's colour.
func ink(tower int) string { return "t" + strconv.Itoa(colour(tower)) }

func visibility(shown bool) string {
	if shown {
		return "visible"
	}
	return "hidden"
}

func x(a, r float64) string { return fixed(centre + r*math.Sin(a)) }

func y(a, r float64) string { return fixed(centre - r*math.Cos(a)) }
