package census

import (
	"slices"
	"testing"

	"github.com/ringoftowers/towers/ring"
)

// The figures that the lessons promise: facts of the hash and the names, exact.
func TestLessonFigures(t *testing.T) {
	for _, tc := range []struct {
		name            string
		before, after   []int
		points          int
		onRing, modulo  int
		ideal           float64
		largest, lowest int
	}{
		{"four towers, one point", towers(4), towers(4), 1, 0, 0, 0, 784, 126},
		{"four towers, a hundred points", towers(4), towers(4), 100, 0, 0, 0, 564, 420},
		{"a fifth tower", towers(4), towers(5), 100, 432, 1615, 400, 438, 355},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := New(2000, "", ring.Mixed)
			c.Change(tc.before, tc.after, tc.points)
			if got := c.Tally(OnRing).Moved; got != tc.onRing {
				t.Errorf("moved on the ring: %d, want %d", got, tc.onRing)
			}
			if got := c.Tally(Modulo).Moved; got != tc.modulo {
				t.Errorf("moved under modulo: %d, want %d", got, tc.modulo)
			}
			if got := c.Ideal(); got != tc.ideal {
				t.Errorf("ideal: %v, want %v", got, tc.ideal)
			}
			if got := slices.Max(c.Loads()); got != tc.largest {
				t.Errorf("largest load: %d, want %d", got, tc.largest)
			}
			if got := slices.Min(c.Loads()); got != tc.lowest {
				t.Errorf("smallest load: %d, want %d", got, tc.lowest)
			}
		})
	}
}

func TestIdealCountsWhoCameAndWhoLeft(t *testing.T) {
	for _, tc := range []struct {
		before, after []int
		want          float64
	}{
		{towers(4), towers(4), 0}, {towers(4), towers(5), 400}, {towers(5), towers(4), 400},
		{[]int{1, 2, 3, 4}, []int{1, 2, 3, 5}, 500}, {[]int{1}, []int{2}, 2000},
		{nil, towers(2), 2000}, {towers(2), nil, 2000}, {nil, nil, 0}, {towers(2), towers(4), 1000},
	} {
		c := New(2000, "", ring.Mixed)
		c.Change(tc.before, tc.after, 10)
		if got := c.Ideal(); got != tc.want {
			t.Errorf("ideal of %v to %v is %v, want %v", tc.before, tc.after, got, tc.want)
		}
	}
}

func towers(n int) []int {
	fleet := make([]int, n)
	for i := range fleet {
		fleet[i] = i + 1
	}
	return fleet
}

func BenchmarkCensus(b *testing.B) {
	c := New(MaxLetters, "", ring.Mixed)
	few, many := towers(100), towers(101)
	c.Change(few, many, 160)
	b.Run("slider step", func(b *testing.B) {
		for i := range b.N {
			c.Change(few, many, 160+i&1)
		}
	})
	b.Run("tower comes and goes", func(b *testing.B) {
		for range b.N {
			c.Change(few, many, 160)
			c.Change(many, few, 160)
		}
	})
}
