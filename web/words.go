package web

import (
	"math"
	"strconv"
	"strings"

	"github.com/ringoftowers/towers/ring/census"
)

// grouped writes a whole number with a narrow no-break space between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 {
		return "−" + grouped(-n)
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// percent is the share of n in all, with one decimal; 0 % of nothing. Ties go up, as they do
// in the browser.
func percent(n float64, all int) string {
	if all == 0 || n == 0 {
		return "0\u00a0%"
	}
	tenths := math.Floor(1000*n/float64(all) + 0.5)
	return strconv.FormatFloat(tenths/10, 'f', 1, 64) + "\u00a0%"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return grouped(n) + "\u00a0" + one
	}
	return grouped(n) + "\u00a0" + many
}

// tower is the name that pages give a tower.
func tower(n int) string { return "T-" + strconv.Itoa(n) }

// sentence is what the picture says about itself: text, the number in magenta, more text. Without
// a number what comes after it invites to press a button, and is shown only where one works.
type sentence struct{ before, number, after string }

// says puts the scene into words, as src/words.ts does when it changes.
func (s *scene) says() sentence {
	towers := len(s.after)
	switch {
	case towers == 0:
		return sentence{before: "No tower stands, so every letter waits.", after: " Light one."}
	case s.set.Arrives == 0 && towers == 1:
		return sentence{before: "One tower keeps every letter.", after: " Add a second and see who has to move."}
	case s.set.Arrives == 0:
		return sentence{before: plural(towers, "tower", "towers") + ", " +
			plural(s.set.Points, "virtual node", "virtual nodes") + " each.", after: " Add a tower and see who has to move."}
	}
	newcomer := tower(s.after[towers-1])
	t := s.census.Tally(s.follow)
	says := sentence{
		before: newcomer + " is lit. " + under(s.follow) + " ",
		number: grouped(t.Moved),
		after:  " of " + grouped(s.census.Letters()) + " letters change hands, and every one goes to " + newcomer + ".",
	}
	if t.Needless > 0 {
		says.after = " letters change hands, " + grouped(t.Needless) + " of them between towers that both stay."
	}
	return says
}

func under(rule census.Rule) string {
	switch rule {
	case census.Rendezvous:
		return "Under rendezvous"
	case census.Modulo:
		return "Under modulo"
	}
	return "On the ring"
}

// row is one line of the comparison.
type row struct {
	class, name, gloss, count string
	rule                      census.Rule
	ideal                     bool
	moved                     float64
}

// rows are the ring, the rules it is compared with, and the ideal.
func (s *scene) rows() []row {
	rows := []row{{class: "is-ring", name: "Ring", gloss: "walk clockwise", count: "ring-moved", rule: census.OnRing}}
	for _, rule := range s.set.Compare {
		switch rule {
		case "rendezvous":
			rows = append(rows, row{class: "is-rdv", name: "Rendezvous", gloss: "highest bid", count: "rendezvous-moved", rule: census.Rendezvous})
		case "modulo":
			rows = append(rows, row{class: "is-mod", name: "Modulo", gloss: "remainder", count: "modulo-moved", rule: census.Modulo})
		}
	}
	for i := range rows {
		rows[i].moved = float64(s.census.Tally(rows[i].rule).Moved)
	}
	return append(rows, row{class: "ideal", name: "Ideal", gloss: "fair, and no more", count: "ideal-moved", ideal: true, moved: s.census.Ideal()})
}

func (r row) text() string { return grouped(int(math.Floor(r.moved + 0.5))) }

func (r row) share(letters int) float64 {
	if letters == 0 {
		return 0
	}
	return 100 * r.moved / float64(letters)
}

// load is what one tower keeps on the ring.
type load struct {
	tower, letters int
	most, least    bool
	fresh          bool
	bar            float64 // 0…100; the fair share is 50
	share          int     // percent of the fair share
}

func (s *scene) loads() []load {
	held := s.census.Loads()
	most, least := s.extremes()
	fair := s.fair()
	loads := make([]load, len(held))
	for i, n := range held {
		l := load{tower: s.after[i], letters: n, most: n == most, least: n == least, fresh: i >= len(s.before)}
		if fair > 0 {
			l.bar = min(100, 50*float64(n)/fair)
			l.share = int(math.Floor(100*float64(n)/fair + 0.5))
		}
		loads[i] = l
	}
	return loads
}

func (s *scene) extremes() (most, least int) {
	for i, n := range s.census.Loads() {
		if i == 0 || n > most {
			most = n
		}
		if i == 0 || n < least {
			least = n
		}
	}
	return most, least
}

func (s *scene) fair() float64 {
	if len(s.after) == 0 {
		return 0
	}
	return float64(s.census.Letters()) / float64(len(s.after))
}

// decimal writes a length or a coordinate for an attribute.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func fixed(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// oneOr gives the word that goes with a number.
func oneOr(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
