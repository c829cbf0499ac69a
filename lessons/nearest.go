package lessons

// nearest gives the candidate that is most likely meant by a mistyped word, or "" where
// none is near: at most one edit for each three characters, and one for a shorter word.
// Of two equally near the first wins.
func nearest(word string, candidates []string) string {
	best, limit := "", max(1, len(word)/3)
	for _, c := range candidates {
		if d := distance(word, c); d <= limit {
			best, limit = c, d-1
		}
	}
	return best
}

// distance counts the edits that make b of a: a character added, dropped or replaced, or
// two neighbours swapped, which is the commonest slip of all. It takes time in proportion
// to the product of the lengths, so it gives up on words that nobody mistyped.
func distance(a, b string) int {
	const longest = 64
	s, t := []rune(a), []rune(b)
	if len(s) > longest || len(t) > longest {
		return longest
	}
	// Three rows are kept: the present one, the one before, and for swaps the one before that.
	older, old, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		old[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			replaced := old[j-1]
			if s[i-1] != t[j-1] {
				replaced++
			}
			row[j] = min(replaced, old[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(t)]
}
