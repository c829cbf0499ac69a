package web

import (
	"fmt"
	"strings"
	"unicode"
)

// inert makes what a learner's program wrote fit to be looked at: whatever would move the
// cursor, change the direction of the text or leave no trace at all is written out instead. The
// checker has done the same for most of it; a page relies on nobody.
func inert(text string) string {
	if !strings.ContainsFunc(text, restless) {
		return strings.ToValidUTF8(text, "\ufffd")
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case !restless(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('\u2400' + r) // the picture that Unicode has for it
		case r == 0x7f:
			b.WriteRune('\u2421')
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// restless says whether a rune must not reach a page as it is: control characters but tab and
// newline, the unseen ones that format text, and separators of lines.
func restless(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', '\ufeff':
		return true
	case '\u200d': // joins what belongs together, in emoji and in Persian
		return false
	case '\u200c':
		return false
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)
}
