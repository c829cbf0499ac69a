package lessons

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A directive is one line of a lesson such as
//
//	::ring{towers=4 caption="Four towers."}
//
// taken apart. Offsets are in bytes from the beginning of that line.
type directive struct {
	colons     int    // two for a leaf, three or more for a container
	at         int    // of the first colon
	name       string // empty for the line ::: that closes a container
	nameAt     int
	attributes []attribute
	mistakes   []mistake // what could not be understood
}

// An attribute is one name=value of a directive.
type attribute struct {
	name, value string
	at          int // of the name
	valueAt     int // of the value, without its quote
}

// A mistake is a place in the line and what is wrong there.
type mistake struct {
	at      int
	message string
}

// scanDirective takes a line apart, without its line end. It reports false for a line that is
// no directive: one that does not begin with two or more colons and a letter, and is not
// just three or more colons.
func scanDirective(line string) (directive, bool) {
	s := lineScanner{line: line}
	s.spaces()
	d := directive{at: s.at}
	d.colons = s.run(func(r rune) bool { return r == ':' })
	gap := s.spaces()
	d.nameAt = s.at
	if d.colons < 2 || d.colons == 2 && gap > 0 {
		return directive{}, false
	}
	if d.colons > 3 {
		s.complain(d.at, "%d colons; expected three, since one container never stands within another", d.colons)
	}
	if d.colons >= 3 && s.at == len(line) {
		d.mistakes = s.mistakes
		return d, true
	}
	if !letter(s.peek()) {
		return directive{}, false
	}
	s.run(func(r rune) bool { return letter(r) || unicode.IsDigit(r) || r == '-' || r == '_' })
	d.name = line[d.nameAt:s.at]
	if gap > 0 {
		s.complain(d.nameAt-gap, "a space before the name; expected `:::%s`", d.name)
	}
	s.spaces()
	if s.peek() == '{' {
		d.attributes = s.attributes()
		s.spaces()
	}
	if s.at < len(line) {
		s.complain(s.at, "text after the directive; expected it alone on its line")
	}
	d.mistakes = s.mistakes
	return d, true
}

// letter reports whether a name may begin with r. Only ASCII letters do, so that "::" before
// a word of some other script stays what it is.
func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// A lineScanner walks along a line. It never stops at a mistake: it notes it and goes on with
// the next thing that can be understood.
type lineScanner struct {
	line     string
	at       int
	mistakes []mistake
}

const eol rune = -1

func (s *lineScanner) peek() rune {
	if s.at >= len(s.line) {
		return eol
	}
	r, _ := utf8.DecodeRuneInString(s.line[s.at:])
	return r
}

func (s *lineScanner) next() rune {
	r, size := utf8.DecodeRuneInString(s.line[s.at:])
	if size == 0 {
		return eol
	}
	s.at += size
	return r
}

// run skips what belongs and tells how many bytes that were.
func (s *lineScanner) run(belongs func(rune) bool) int {
	from := s.at
	for r := s.peek(); r != eol && belongs(r); r = s.peek() {
		s.next()
	}
	return s.at - from
}

func (s *lineScanner) spaces() int {
	return s.run(func(r rune) bool { return r == ' ' || r == '\t' })
}

func (s *lineScanner) complain(at int, format string, args ...any) {
	s.mistakes = append(s.mistakes, mistake{at, fmt.Sprintf(format, args...)})
}

// attributes reads {…}, of which the opening brace is next.
func (s *lineScanner) attributes() []attribute {
	var all []attribute
	open := s.at
	s.next()
	for {
		s.spaces()
		switch s.peek() {
		case '}':
			s.next()
			return all
		case eol:
			s.complain(open, "`{` is not closed; expected `}` before the end of the line")
			return all
		}
		if a, ok := s.attribute(); ok {
			all = append(all, a)
		}
	}
}

// attribute reads name=value. It always moves on, and reports false where there is no
// attribute to give.
func (s *lineScanner) attribute() (attribute, bool) {
	a := attribute{at: s.at}
	s.run(func(r rune) bool { return r != '=' && r != '}' && r != '"' && r != ' ' && r != '\t' })
	a.name = s.line[a.at:s.at]
	if s.peek() != '=' || a.name == "" {
		// Skip to what may be the next attribute, so that one slip is one complaint.
		if s.peek() == '"' {
			s.quoted()
		}
		s.run(func(r rune) bool { return r != '}' && r != ' ' && r != '\t' })
		s.complain(a.at, "`%s` is no attribute; expected `name=value`, or `name=\"two words\"`", s.line[a.at:s.at])
		return a, false
	}
	s.next()
	a.valueAt = s.at
	if s.peek() == '"' {
		a.valueAt++
		a.value = s.quoted()
		return a, true
	}
	s.run(func(r rune) bool { return r != '}' && r != '"' && r != ' ' && r != '\t' })
	a.value = s.line[a.valueAt:s.at]
	if a.value == "" {
		s.complain(a.valueAt, "`%s` has no value; expected one after `=`", a.name)
		return a, false
	}
	return a, true
}

// quoted reads a value between quotes, of which the first is next. Within it \" is a quote
// and \\ a backslash.
func (s *lineScanner) quoted() string {
	var value strings.Builder
	open := s.at
	s.next()
	for {
		r := s.next()
		if r == '\\' && (s.peek() == '"' || s.peek() == '\\') {
			value.WriteRune(s.next())
			continue
		}
		switch r {
		case '"':
			return value.String()
		case eol:
			s.complain(open, "the quote is not closed; expected `\"` before the end of the line")
			return strings.TrimRight(value.String(), "} \t")
		}
		value.WriteRune(r)
	}
}
