package web

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A comparison is a failure that says what a program gave and what it should have given.
type comparison struct {
	about     string // what was asked; may be empty
	got, want []piece
}

// A piece is a stretch of one side that the other side has too, or has not.
type piece struct {
	text    string
	differs bool
}

// compare finds both sides in the message of a failed test, as tests in Go write them:
//
//	got "T-3", true; want "T-1", true: position 7
//	Fullest without towers: got "T-3", want ""
//	Owner("letter-7") = "T-3", want "T-1"
//
// Words within quotes and brackets are never taken for the message's own. It reports false for
// a message of another kind, which is then shown as it is.
func compare(message string) (comparison, bool) {
	if len(message) > longestCompared {
		return comparison{}, false
	}
	m := marked(message)
	sides, ok := m.sides()
	if !ok {
		return comparison{}, false
	}
	var c comparison
	before := strings.TrimRight(strings.TrimSpace(message[:sides.begin]), ":,;")
	after := strings.TrimSpace(message[sides.end:])
	c.about = strings.TrimSpace(before)
	if before != "" && after != "" {
		c.about += "; "
	}
	c.about = sentenceCase(c.about + after)
	got, want := strings.TrimSpace(message[sides.got:sides.gotEnd]), strings.TrimSpace(message[sides.want:sides.wantEnd])
	if got == "" || want == "" {
		return comparison{}, false
	}
	c.got, c.want = difference(got, want)
	return c, true
}

// longestCompared is how long a message may be: looking for quotes that are never closed takes
// time with the square of its length, and a learner's program may write what it likes.
const longestCompared = 4 << 10

// sides are the places of both sides in a message, in bytes.
type sides struct {
	begin, got, gotEnd, want, wantEnd, end int
}

// marked is a message in which every place is told apart that stands for itself, and not within
// quotes or brackets.
func marked(message string) markedText {
	m := markedText{text: message, bare: make([]bool, len(message)+1)}
	depth := 0
	for i := 0; i < len(message); {
		if quoted, err := strconv.QuotedPrefix(message[i:]); err == nil {
			i += len(quoted)
			continue
		}
		switch message[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
		m.bare[i] = depth == 0
		i++
	}
	m.bare[len(message)] = true
	return m
}

type markedText struct {
	text string
	bare []bool // by byte; one more for the end
}

// sides finds where both sides stand.
func (m markedText) sides() (sides, bool) {
	var s sides
	var ok bool
	if s.begin, s.got, ok = m.find(0, "got: ", "got:\n", "got "); ok && m.startsWord(s.begin) {
		s.gotEnd, s.want, ok = m.find(s.got, "; want ", ", want ", "\nwant ", "\nwant: ", "\nwant:\n", " want ")
	} else if s.begin, s.got, ok = m.find(0, " = "); ok {
		// The call stands before the sign, and is what was asked.
		s.gotEnd, s.want, ok = m.find(s.got, "; want ", ", want ", "\nwant ")
	}
	if !ok {
		return sides{}, false
	}
	s.wantEnd, s.end, ok = m.find(s.want, ": ", "\n")
	if !ok {
		s.wantEnd, s.end = len(m.text), len(m.text)
	}
	return s, true
}

// find gives the first place, at or after from, of any of the words, and where the word ends.
func (m markedText) find(from int, words ...string) (begin, end int, ok bool) {
	for i := from; i < len(m.text); i++ {
		if !m.bare[i] {
			continue
		}
		for _, word := range words {
			if strings.HasPrefix(m.text[i:], word) {
				return i, i + len(word), true
			}
		}
	}
	return 0, 0, false
}

func (m markedText) startsWord(i int) bool {
	return i == 0 || m.text[i-1] == ' ' || m.text[i-1] == '\n'
}

// sentenceCase makes the first letter a capital where it begins a word of prose, and not the
// name of something in a program.
func sentenceCase(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if word == "" || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLower(r) }) {
		return s
	}
	return capital(s)
}

// mostCompared bounds the work of finding differences: above it the two sides only lose what
// they begin and end with in common.
const mostCompared = 1 << 16

// difference splits both sides into what they share and what they do not. What is shared reads
// the same on both, in order; the pieces of a side are that side whole.
func difference(got, want string) (gotPieces, wantPieces []piece) {
	a, b := words(got), words(want)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	p := pairing{got: a[head : len(a)-tail], want: b[head : len(b)-tail]}
	p.same(strings.Join(a[:head], ""))
	p.walk()
	p.same(strings.Join(a[len(a)-tail:], ""))
	return p.gotOut, p.wantOut
}

// words splits a value into names and numbers, and every other rune alone.
func words(s string) []string {
	var all []string
	for len(s) > 0 {
		n := strings.IndexFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		switch n {
		case -1:
			n = len(s)
		case 0:
			_, n = utf8.DecodeRuneInString(s)
		}
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}

// A pairing is the middle of two sides on its way to pieces.
type pairing struct {
	got, want       []string
	gotOut, wantOut []piece
}

func (p *pairing) same(text string) {
	p.gotOut = appendPiece(p.gotOut, piece{text: text})
	p.wantOut = appendPiece(p.wantOut, piece{text: text})
}

// differ takes what stands on either side between two shared words. The first words may still
// begin alike: of 438 and 435 only the last digit differs.
func (p *pairing) differ(got, want []string) {
	a, b := strings.Join(got, ""), strings.Join(want, "")
	if len(got) > 0 && len(want) > 0 {
		n := sharedPrefix(got[0], want[0])
		p.same(a[:n])
		a, b = a[n:], b[n:]
	}
	p.gotOut = appendPiece(p.gotOut, piece{text: a, differs: true})
	p.wantOut = appendPiece(p.wantOut, piece{text: b, differs: true})
}

// walk goes along a longest common subsequence of the two middles.
func (p *pairing) walk() {
	n, m := len(p.got), len(p.want)
	if n*m > mostCompared {
		p.differ(p.got, p.want)
		return
	}
	// longest[i*(m+1)+j] is the length for got[i:] and want[j:].
	longest := make([]int, (n+1)*(m+1))
	at := func(i, j int) *int { return &longest[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if p.got[i] == p.want[j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	i, j, gotFrom, wantFrom := 0, 0, 0, 0
	for i < n && j < m {
		switch {
		case p.got[i] == p.want[j]:
			p.differ(p.got[gotFrom:i], p.want[wantFrom:j])
			p.same(p.got[i])
			i, j = i+1, j+1
			gotFrom, wantFrom = i, j
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
	p.differ(p.got[gotFrom:], p.want[wantFrom:])
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) {
		r, size := utf8.DecodeRuneInString(a[n:])
		if other, _ := utf8.DecodeRuneInString(b[n:]); r != other || !strings.HasPrefix(b[n:], a[n:n+size]) {
			break
		}
		n += size
	}
	return n
}

// appendPiece adds a piece, joined to the one before it where both are alike.
func appendPiece(to []piece, p piece) []piece {
	if p.text == "" {
		return to
	}
	if last := len(to) - 1; last >= 0 && to[last].differs == p.differs {
		to[last].text += p.text
		return to
	}
	return append(to, p)
}
