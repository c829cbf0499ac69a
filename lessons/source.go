package lessons

import (
	"bytes"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// largest is the size from which a file of the course is refused, in bytes. A long lesson
// has 30 kB; a file of megabytes is there by mistake, and would hold up every page.
const largest = 256 << 10

// longestLine is how much of a line a problem quotes, in bytes.
const longestLine = 400

// A source is the text of one file, and knows the line and column of each byte in it.
type source struct {
	file  string // as Problem.File names it
	text  []byte // with \n for line ends, valid UTF-8, no byte order mark, no NUL
	lines []int  // where each line begins; never empty
}

// newSource takes the bytes of a file as they are. What had to be replaced to make text of
// them is a problem.
func newSource(file string, raw []byte) (*source, []Problem) {
	s := &source{file: file}
	if len(raw) > largest {
		s.setText(nil)
		return s, []Problem{s.problem(0, "the file has %d bytes; expected at most %d", len(raw), largest)}
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	bad := -1
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		bad = firstBad(raw)
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
		raw = bytes.ReplaceAll(raw, []byte{0}, []byte("\uFFFD"))
	}
	s.setText(raw)
	if bad < 0 {
		return s, nil
	}
	return s, []Problem{s.problem(bad, "a byte that is no text; expected UTF-8")}
}

// firstBad finds the first byte that is NUL or no UTF-8.
func firstBad(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

func (s *source) setText(text []byte) {
	s.text, s.lines = text, []int{0}
	for i, b := range text {
		if b == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
}

// problem makes a problem of what stands at a byte of the text. An offset outside of the
// text means its nearest end.
func (s *source) problem(offset int, format string, args ...any) Problem {
	offset = min(max(offset, 0), len(s.text))
	line := s.lineOf(offset) - 1
	return Problem{
		File:    s.file,
		Line:    line + 1,
		Column:  utf8.RuneCount(s.text[s.lines[line]:offset]) + 1,
		Message: fmt.Sprintf(format, args...),
		Source:  clip(s.line(line)),
	}
}

// lineOf gives the number of the line that an offset is in, from 1.
func (s *source) lineOf(offset int) int { return max(sort.SearchInts(s.lines, offset+1), 1) }

// clip shortens a line that is too long to quote.
func clip(line string) string {
	if len(line) <= longestLine {
		return line
	}
	return strings.ToValidUTF8(line[:longestLine], "") + "…"
}

// line gives a line of the text by its number from 0, without its end.
func (s *source) line(n int) string {
	if n < 0 || n >= len(s.lines) {
		return ""
	}
	end := len(s.text)
	if n+1 < len(s.lines) {
		end = s.lines[n+1]
	}
	return strings.TrimRight(string(s.text[s.lines[n]:end]), "\n")
}

// offset finds the byte at a line and column, both from 1, as other parsers report them.
// A place outside of the text means the nearest within.
func (s *source) offset(line, column int) int {
	line = min(max(line, 1), len(s.lines))
	at := s.lines[line-1]
	for range column - 1 {
		if at >= len(s.text) || s.text[at] == '\n' {
			break
		}
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
	return at
}

// lineEnd gives the offset just after the last character of the line that offset is in.
func (s *source) lineEnd(offset int) int {
	if i := bytes.IndexByte(s.text[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(s.text)
}
