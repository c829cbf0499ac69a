package web

import (
	"regexp"
	"strings"
	"testing"
	"testing/quick"
)

func TestNotesAreMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"one *two* **three** `four`":            "<p>one <em>two</em> <strong>three</strong> <code>four</code></p>\n",
		"a line\nis a line":                     "<p>a line<br>\nis a line</p>\n",
		"# Large":                               "<p><strong>Large</strong></p>\n",
		"- a\n- b":                              "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"~~no~~":                                "<p><del>no</del></p>\n",
		"<b>bold</b> & x < y":                   "<p>&lt;b&gt;bold&lt;/b&gt; &amp; x &lt; y</p>\n",
		"<script>\nx\n</script>\n":              "<p>&lt;script&gt;\nx\n&lt;/script&gt;</p>\n",
		"<!-- a note -->":                       "<p>&lt;!-- a note --&gt;</p>\n",
		"[x](https://a.example/?b)":             "<p><a href=\"https://a.example/?b\" rel=\"nofollow noopener\">x</a></p>\n",
		"https://a.example":                     "<p><a href=\"https://a.example\" rel=\"nofollow noopener\">https://a.example</a></p>\n",
		"[x](javascript:alert(1))":              "<p><a rel=\"nofollow noopener\">x</a></p>\n",
		"[x](data:text/html,y)":                 "<p><a rel=\"nofollow noopener\">x</a></p>\n",
		"![cat](https://a.example/c.png \"t\")": "<p><a href=\"https://a.example/c.png\" rel=\"nofollow noopener\">cat</a></p>\n",
		"![cat](javascript:alert(1))":           "<p><a rel=\"nofollow noopener\">cat</a></p>\n",
		"[x](https://a.example \"onmouseover=alert(1)\")": "<p><a href=\"https://a.example\" rel=\"nofollow noopener\">x</a></p>\n",
		"<img src=x onerror=alert(1)>":                    "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n",
		"<lesson-notes data-lesson=x>":                    "<p>&lt;lesson-notes data-lesson=x&gt;</p>\n",
		"```html\n<b>\n```":                               "<pre><code>&lt;b&gt;\n</code></pre>\n",
		"سلام *دنیا*":                                     "<p>سلام <em>دنیا</em></p>\n",
		"| a | b |\n|---|---|\n| 1 | 2 |":                 "<p>| a | b |<br>\n|---|---|<br>\n| 1 | 2 |</p>\n",
	} {
		if got := noteHTML(in); got != want {
			t.Errorf("%q gives\n%q, want\n%q", in, got, want)
		}
	}
}

// Whatever is typed, only these elements and these attributes come out.
func TestNotesAreInert(t *testing.T) {
	allowed := regexp.MustCompile(`^</?(p|br|em|strong|del|code|pre|ul|ol|li|blockquote|hr)>$|^</a>$|^<a( href="[^"<>]*")? rel="nofollow noopener">$`)
	tag := regexp.MustCompile(`<[^>]*>?`)
	pieces := []string{"<", ">", "\"", "'", "script", "img src=x onerror=y", "](", "[", "!", "javascript:", "`", "\n", "\n\n", "    ",
		"&lt;", "&#x3c;", "<!--", "-->", "<![CDATA[", "]]>", "<?", "# ", "- ", "> ", "\x00", "\\", "<https://a.example>", "*", "~~", "a", "//e", "style=", "</p>"}
	check := func(picks []byte) bool {
		var b strings.Builder
		for _, p := range picks {
			b.WriteString(pieces[int(p)%len(pieces)])
		}
		for _, found := range tag.FindAllString(noteHTML(b.String()), -1) {
			if !allowed.MatchString(found) {
				t.Errorf("%q lets %q through", b.String(), found)
				return false
			}
		}
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 3000}); err != nil {
		t.Error(err)
	}
}

// What is made to be slow is shown as it was typed, and what people write is not.
func TestIntricateNotesStayPlain(t *testing.T) {
	for _, marks := range []string{"> ", "1. ", "[", "[a](", "**a_", "<a ", "[[]]()", "- "} {
		note := strings.Repeat(marks, 10_000/len(marks))
		if got := noteHTML(note); !strings.HasPrefix(got, "<p>") || strings.Count(got, "<") != 2 {
			t.Errorf("%q many times gives %.100s…", marks, got)
		}
	}
	code := "```\n" + strings.Repeat("\tfor i, p := range points { if p[i] >= *h && a[i] < b[i] { sum[p] += x_y } }\n", 100) + "```"
	if got := noteHTML(code); !strings.HasPrefix(got, "<pre><code>") {
		t.Errorf("a long program gives %.100s…", got)
	}
	if got := noteHTML("> - 1. * [deep](https://a.example) *but* **sane**"); !strings.Contains(got, "<blockquote>") {
		t.Errorf("a quote gives %s", got)
	}
}

func BenchmarkNote(b *testing.B) {
	note := strings.Repeat("A *note* with `code` and [a link](https://a.example), about as long as they are.\n\n", 4)
	for b.Loop() {
		noteHTML(note)
	}
}
