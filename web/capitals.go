package web

import (
	"html"
	"strings"

	"github.com/a-h/templ"
)

// capitals is a line of text that stands in small capitals. Figures have no small form, so they
// are marked for the style to set them as large as the letters beside them.
func capitals(text string) templ.Component {
	var b strings.Builder
	for text != "" {
		figures := len(text) - len(strings.TrimLeft(text, "0123456789"))
		if figures > 0 {
			b.WriteString(`<span class="figure">` + text[:figures] + `</span>`)
			text = text[figures:]
			continue
		}
		words := strings.IndexAny(text, "0123456789")
		if words < 0 {
			words = len(text)
		}
		b.WriteString(html.EscapeString(text[:words]))
		text = text[words:]
	}
	return templ.Raw(b.String())
}
