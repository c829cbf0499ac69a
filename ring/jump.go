package ring

// Jump returns the bucket, 0 … buckets-1, that a key with this hash belongs to, and -1 if buckets
// is not positive. When the number of buckets grows by one, 1/buckets of the keys move, all of
// them to the new bucket. It spreads keys as evenly as can be and needs no memory, but buckets
// are numbers without names: only the last one can leave.
//
// The hash should be well mixed in all 64 bits: see [KeyHash]. It takes O(log buckets) steps and
// allocates nothing.
func Jump(hash uint64, buckets int) int {
	bucket := -1
	// Each round draws, from the hash alone, the next number of buckets at which this key would
	// move to the newest of them. The last move that this many buckets have seen is its place.
	for next := 0.0; next < float64(buckets); {
		bucket = int(next)
		hash = hash*2862933555777941757 + 1
		next = float64(bucket+1) * (float64(1<<31) / float64(hash>>33+1))
	}
	return bucket
}
