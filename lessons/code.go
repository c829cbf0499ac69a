package lessons

import (
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// languages are those in which a lesson may show code. Chroma knows hundreds, but then a
// mistyped one is often another one's name.
const languages = "go sh console text json yaml toml sql http html css js ts diff ini markdown proto python c rust"

// StartHTML is start.go with Chroma's short classes, for a page to show within pre and code.
func (e *Exercise) StartHTML() string { return GoHTML(e.Start) }

// GoHTML is a program in Go with Chroma's short classes, for a page to show within pre and code.
// Whatever is in it comes out as text.
func GoHTML(code string) string {
	text, _ := highlight("go", strings.TrimRight(code, "\n"))
	return text
}

// highlight writes code as HTML with Chroma's short classes, and reports false for a language
// that is not among [languages].
//
// Only what the page sets off gets a span, and under the one class for its sort: every string
// is "s", every number "mi". A program is mostly names and punctuation, so this makes the page
// a third of the size.
func highlight(language, code string) (string, bool) {
	if language == "" || language == "text" {
		return html.EscapeString(code), true
	}
	known := false
	for name := range strings.FieldsSeq(languages) {
		known = known || name == language
	}
	lexer := lexers.Get(language)
	if !known || lexer == nil {
		return html.EscapeString(code), false
	}
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		// Chroma's own rules failed on this text; it is as good without colours.
		return html.EscapeString(code), true
	}
	var out strings.Builder
	var run strings.Builder // of tokens with one class
	class := ""
	flush := func() {
		text := html.EscapeString(run.String())
		run.Reset()
		if class == "" || text == "" {
			out.WriteString(text)
			return
		}
		out.WriteString(`<span class="` + class + `">` + text + `</span>`)
	}
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if c := classOf(t.Type); c != class {
			flush()
			class = c
		}
		run.WriteString(t.Value)
	}
	flush()
	return out.String(), true
}

// classOf gives the class of a token, or "" for one that is not set off.
func classOf(t chroma.TokenType) string {
	switch t {
	case chroma.KeywordType:
		return "kt"
	case chroma.KeywordDeclaration:
		return "kd"
	case chroma.KeywordNamespace:
		return "kn"
	case chroma.NameFunction, chroma.NameFunctionMagic:
		return "nf"
	case chroma.NameBuiltin, chroma.NameBuiltinPseudo:
		return "nb"
	case chroma.NameTag, chroma.NameAttribute:
		return "nt"
	case chroma.GenericInserted:
		return "gi"
	case chroma.GenericDeleted:
		return "gd"
	}
	switch {
	case t.InCategory(chroma.Comment):
		return "c1"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	case t.InSubCategory(chroma.LiteralNumber):
		return "mi"
	}
	return ""
}
