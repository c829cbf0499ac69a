package census

// sortByHigh sorts xs by their upper 32 bits, keeping the order of equal ones: a radix sort
// of three passes over 11, 11 and 10 bits. It needs a second slice of the same length and
// gives both back, the sorted one first.
func sortByHigh(xs, spare []uint64) (sorted, other []uint64) {
	var count [3][1 << 11]uint32
	for _, x := range xs {
		count[0][x>>32&0x7ff]++
		count[1][x>>43&0x7ff]++
		count[2][x>>54]++
	}
	for pass := range count {
		sum := uint32(0)
		for d, n := range count[pass] {
			count[pass][d] = sum
			sum += n
		}
	}
	for pass, shift := range [3]uint8{32, 43, 54} {
		next := &count[pass]
		for _, x := range xs {
			d := x >> shift & 0x7ff
			spare[next[d]] = x
			next[d]++
		}
		xs, spare = spare, xs
	}
	return xs, spare
}
