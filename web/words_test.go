package web

import (
	"strings"
	"testing"

	"github.com/ringoftowers/towers/lessons"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 432: "432", 1615: "1\u202f615", 1_000_000: "1\u202f000\u202f000", -2500: "−2\u202f500"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, tc := range []struct {
		n    float64
		all  int
		want string
	}{
		{432, 2000, "21.6\u00a0%"}, {1615, 2000, "80.8\u00a0%"}, {400, 2000, "20.0\u00a0%"},
		{0, 2000, "0\u00a0%"}, {0, 0, "0\u00a0%"}, {2000, 2000, "100.0\u00a0%"}, {1, 1_000_000, "0.0\u00a0%"},
	} {
		if got := percent(tc.n, tc.all); got != tc.want {
			t.Errorf("percent(%v, %d) = %q, want %q", tc.n, tc.all, got, tc.want)
		}
	}
}

func lessonRing(change func(*lessons.Ring)) lessons.Ring {
	r := lessons.Ring{Figure: 1, Lead: true, Towers: 4, Points: 100, Letters: 2000, Hash: "mixed",
		Compare: []string{"modulo", "rendezvous"}, Follow: "ring"}
	change(&r)
	return r
}

func TestSays(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*lessons.Ring)
		want   string
	}{
		{"at rest", func(*lessons.Ring) {}, "4\u00a0towers, 100\u00a0virtual nodes each. Add a tower and see who has to move."},
		{"one virtual node", func(r *lessons.Ring) { r.Points = 1 }, "4\u00a0towers, 1\u00a0virtual node each. Add a tower and see who has to move."},
		{"no tower", func(r *lessons.Ring) { r.Towers = 0 }, "No tower stands, so every letter waits. Light one."},
		{"one tower", func(r *lessons.Ring) { r.Towers = 1 }, "One tower keeps every letter. Add a second and see who has to move."},
		{"a fifth comes", func(r *lessons.Ring) { r.Arrives = 1 }, "T-5 is lit. On the ring 432 of 2\u202f000 letters change hands, and every one goes to T-5."},
		{"under modulo", func(r *lessons.Ring) { r.Arrives, r.Follow = 1, "modulo" }, "T-5 is lit. Under modulo 1\u202f615 letters change hands, 1\u202f234 of them between towers that both stay."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newScene(lessonRing(tc.change)).says()
			if got := s.before + s.number + s.after; got != tc.want {
				t.Errorf("says %q\n   want %q", got, tc.want)
			}
		})
	}
}

// The extremes of what a lesson may ask for are drawn, and none of them is drawn large.
func TestScenesStaySmall(t *testing.T) {
	for name, change := range map[string]func(*lessons.Ring){
		"no letters":   func(r *lessons.Ring) { r.Letters = 0 },
		"no towers":    func(r *lessons.Ring) { r.Towers = 0 },
		"many points":  func(r *lessons.Ring) { r.Points = 1000; r.Towers = 5 },
		"many towers":  func(r *lessons.Ring) { r.Towers = 100; r.Points = 160 },
		"many letters": func(r *lessons.Ring) { r.Letters = 200_000 },
		"all of it":    func(r *lessons.Ring) { r.Towers, r.Points, r.Letters, r.Arrives = 128, 1000, 20_000, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			set := lessonRing(change)
			page := render(t, Ring(Assets{}, set))
			if len(page) > 400_000 {
				t.Errorf("the figure has %d bytes, want at most 400000", len(page))
			}
			if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
				t.Error("the figure holds a number that is none")
			}
		})
	}
}
