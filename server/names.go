package server

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The lengths of names and passwords, in characters. A password is kept as a hash of one
// length, so its limit is only there to keep forms small.
const (
	shortestName, longestName         = 2, 32
	shortestPassword, longestPassword = 8, 128
)

// properName tidies a name as it was typed: no blanks at its ends, and letters with accents in
// the one form in which every keyboard's are equal. Fault says what is wrong with it, and what
// to do.
func properName(typed string) (name, fault string) {
	name = norm.NFC.String(strings.TrimSpace(strings.ToValidUTF8(typed, "")))
	n := utf8.RuneCountInString(name)
	switch {
	case n > longestName:
		return string([]rune(name)[:longestName]), fmt.Sprintf("That is too long. A name has at most %d characters.", longestName)
	case strings.ContainsFunc(name, unseen):
		return without(name, unseen), "There was a character in it that cannot be seen. It is taken out; look whether the name is right now."
	case utf8.RuneCountInString(without(name, func(r rune) bool { return r == joiner })) < shortestName:
		return name, fmt.Sprintf("A name needs at least %d characters.", shortestName)
	}
	return name, ""
}

// without takes out the characters of which drop says so.
func without(name string, drop func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if drop(r) {
			return -1
		}
		return r
	}, name)
}

// joiner is the zero-width non-joiner, which Persian is written with.
const joiner = '\u200c'

// unseen says of a character that a reader would not see it, or that it turns others around:
// with these two names could look alike. The joiner may be.
func unseen(r rune) bool {
	return r != joiner && (!unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// tidyPassword brings accented letters to one form, so that a password that is typed on another
// keyboard is still the same.
func tidyPassword(typed string) string { return norm.NFC.String(typed) }

// badPassword says what is wrong with a new password and what to do, or nothing.
func badPassword(password, name string) string {
	n := utf8.RuneCountInString(password)
	switch {
	case !utf8.ValidString(password):
		return "This password arrived broken. Type it again."
	case n < shortestPassword:
		return fmt.Sprintf("That is too short. A password needs at least %d characters; three or four words in a row are easy to remember.", shortestPassword)
	case n > longestPassword:
		return fmt.Sprintf("That is too long. A password has at most %d characters.", longestPassword)
	case strings.EqualFold(password, name):
		return "The password is your name, which anybody would try first. Choose another one."
	}
	return ""
}
