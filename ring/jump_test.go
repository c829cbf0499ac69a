package ring

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The values are those of the authors' program.
func TestJump(t *testing.T) {
	for _, c := range []struct {
		hash    uint64
		buckets int
		want    int
	}{
		{42, 57, 43}, {0xDEAD10CC, 666, 361}, {256, 1024, 520}, {10, 100, 73},
		{math.MaxUint64, 100, 92}, {0, 1, 0}, {7, 0, -1}, {7, -1, -1}, {7, math.MinInt, -1},
	} {
		if got := Jump(c.hash, c.buckets); got != c.want {
			t.Errorf("Jump(%d, %d) = %d, want %d", c.hash, c.buckets, got, c.want)
		}
	}
}

func TestJumpMovesOnlyToTheNewBucket(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.Uint64().Draw(t, "hash")
		buckets := rapid.IntRange(1, math.MaxInt-1).Draw(t, "buckets")
		was, is := Jump(hash, buckets), Jump(hash, buckets+1)
		if was < 0 || was >= buckets {
			t.Fatalf("bucket %d of %d", was, buckets)
		}
		if is != was && is != buckets {
			t.Fatalf("went from %d to %d, though %d joined", was, is, buckets)
		}
	})
}

func TestJumpSpreadsEvenly(t *testing.T) {
	const keys, buckets = 100_000, 10
	var counts [buckets]int
	for key := range numbered("user:", keys) {
		counts[Jump(KeyHash(key), buckets)]++
	}
	for bucket, count := range counts {
		if count < 9_700 || count > 10_300 {
			t.Errorf("bucket %d has %d of %d keys, want about a tenth", bucket, count, keys)
		}
	}
}
