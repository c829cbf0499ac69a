package web

import (
	"fmt"
	"math"
	"strconv"
	"testing"
)

// However many towers there are, their dots on a rose do not run together, and are there.
func TestDotsOfARoseStayApart(t *testing.T) {
	for n := 2; n <= 129; n++ {
		size, err := strconv.ParseFloat(fixed(dotSize(n)), 64)
		if err != nil {
			t.Fatal(err)
		}
		apart := 2 * 24 * math.Sin(math.Pi/float64(n))
		if gap := apart - 2*size; gap < apart/8 || size < 0.4 {
			t.Errorf("of %d dots each has radius %v, and %.2f are left between them", n, size, gap)
		}
	}
	if got := fmt.Sprint(dotSize(0), dotSize(4), dotSize(16)); got != "3.2 3.2 3.2" {
		t.Errorf("few dots have radii %s", got)
	}
}
