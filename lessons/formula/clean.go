package formula

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// elements are those of MathML Core, and no other may come out. So \cancel and \overline, whose
// menclose most browsers do not draw, are refused rather than shown without their line.
const elements = " math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom" +
	" msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd "

// attributes are those that say something about the formula itself.
const attributes = " display mathvariant form fence separator lspace rspace stretchy symmetric minsize maxsize" +
	" largeop movablelimits accent accentunder linethickness displaystyle scriptlevel width height depth" +
	" voffset columnspan rowspan "

// clean writes Temml's markup anew with nothing in it but what the two lists above allow.
// An element that is not allowed is an error, since a formula without it may be wrong; an
// attribute is just left out.
func clean(markup string) (string, error) {
	var out strings.Builder
	out.Grow(len(markup))
	in := xml.NewDecoder(strings.NewReader(markup))
	for {
		token, err := in.RawToken()
		if errors.Is(err, io.EOF) {
			return out.String(), nil
		}
		if err != nil {
			return "", fmt.Errorf("read the rendered formula: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if !listed(elements, t.Name.Local) {
				return "", &Error{Message: fmt.Sprintf("formula: it needs <%s>, which not every browser shows; write it another way", t.Name.Local)}
			}
			start(&out, t)
		case xml.EndElement:
			out.WriteString("</" + t.Name.Local + ">")
		case xml.CharData:
			out.WriteString(html.EscapeString(string(t)))
		}
	}
}

// start writes an opening tag.
func start(out *strings.Builder, t xml.StartElement) {
	out.WriteString("<" + t.Name.Local)
	for _, a := range t.Attr {
		name, value := a.Name.Local, a.Value
		if name == "class" {
			if value = alignment(value); value == "" {
				continue
			}
		} else if !listed(attributes, name) {
			continue
		}
		out.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
	}
	out.WriteString(">")
}

// alignment keeps of Temml's classes what the page has rules for.
func alignment(classes string) string {
	switch all := strings.Fields(classes); {
	case slices.Contains(all, "tml-left"):
		return "math-left"
	case slices.Contains(all, "tml-right"):
		return "math-right"
	}
	return ""
}

func listed(list, word string) bool {
	return word != "" && strings.Contains(list, " "+word+" ")
}
