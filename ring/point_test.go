package ring

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSortPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few distinct positions, many, and those that fill each of the three digits.
		mask := rapid.SampledFrom([]uint32{0xf, 0x7ff, 0x3ff800, 0xffc00000, math.MaxUint32}).Draw(t, "mask")
		positions := rapid.SliceOf(rapid.Uint32()).Draw(t, "positions")
		points := make([]point, len(positions))
		for i, position := range positions {
			points[i] = newPoint(position&mask, uint32(i))
		}
		want := slices.Clone(points)
		slices.Sort(want)
		if got := sortPoints(points); !slices.Equal(got, want) {
			t.Fatalf("sorted %x, want %x", got, want)
		}
	})
}

func TestSearchFindsTheFirstPointAtOrAfter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A narrow range heaps all points up in one bucket.
		span := rapid.SampledFrom([]uint32{3, 300, 1 << 20, math.MaxUint32}).Draw(t, "span")
		base := rapid.SampledFrom([]uint32{0, math.MaxUint32 - span}).Draw(t, "base")
		offsets := rapid.SliceOfN(rapid.Uint32Range(0, span), 1, 300).Draw(t, "offsets")
		points := make([]point, len(offsets))
		for i, offset := range offsets {
			points[i] = newPoint(base+offset, uint32(i))
		}
		slices.Sort(points)
		b := newBuckets(points)
		for _, p := range append(points, 0, math.MaxUint64) {
			for _, position := range []uint32{p.position() - 1, p.position(), p.position() + 1} {
				want, _ := slices.BinarySearch(points, newPoint(position, 0))
				if got := b.search(points, position); got != want {
					t.Fatalf("search for %d in %d points = %d, want %d", position, len(points), got, want)
				}
			}
		}
	})
}

func TestAPointCostsTenToTwelveBytes(t *testing.T) {
	for _, perNode := range []int{1, 100, 127, 128, 129, 500, 1000} {
		r := must(New(caches(8), Points(perNode)))
		bytes := 8*cap(r.points) + 4*cap(r.buckets.starts)
		if low, high := 10*len(r.points), 12*len(r.points)+8; bytes < low || bytes > high {
			t.Errorf("%d points take %d bytes, want %d to %d", len(r.points), bytes, low, high)
		}
	}
}
