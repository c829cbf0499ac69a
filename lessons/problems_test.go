package lessons

import (
	"strings"
	"testing"
)

const ringTakes = "expected one of towers, points, letters, hash, compare, seed, arrives, follow, caption"

// Each mistake is reported once, in its place, with what was expected; nothing else is.
func TestMistakesInALesson(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"none", "Text.\n\n::ring{towers=4}\n", ""},

		{"unknown directive", "::rnig{towers=4}\n",
			"1:3: unknown directive `rnig` (did you mean `ring`?); expected one of ring, exercise, predict, details, quiz, note, rule"},
		{"unknown container, its text is not shown", ":::warning\nText.\n:::\n",
			"1:4: unknown directive `warning`; expected one of ring, exercise, predict, details, quiz, note, rule"},
		{"unknown attribute", "::ring{pionts=5}\n", "1:8: unknown attribute `pionts` (did you mean `points`?); " + ringTakes},
		{"unknown attribute far from any", "Ł\n\n::ring{points=5 colour=5}\n", "3:17: unknown attribute `colour`; " + ringTakes},
		{"an attribute where there are none", ":::rule{a=b}\nText.\n:::\n", "1:9: unknown attribute `a`; expected none"},
		{"twice", "::ring{points=5 points=6}\n", "1:17: `points` is given twice; expected it once"},
		{"no points", "::ring{points=0}\n", "1:15: `points=0`; expected a whole number from 1 to 1000"},
		{"too many points", "::ring{points=1001}\n", "1:15: `points=1001`; expected a whole number from 1 to 1000"},
		{"half a tower", "::ring{towers=1.5}\n", "1:15: `towers=1.5`; expected a whole number from 0 to 128"},
		{"too many letters", "::ring{letters=1000001}\n", "1:16: `letters=1000001`; expected a whole number from 0 to 1000000"},
		{"two arrive", "::ring{arrives=2}\n", "1:16: `arrives=2`; expected a whole number from 0 to 1"},
		{"unknown hash", "::ring{hash=md4}\n", "1:13: `hash=md4` (did you mean `md5`?); expected one of mixed, fnv1a, md5, xx"},
		{"unknown rule", `::ring{compare="modulo jump modulo"}` + "\n",
			"1:24: `jump` in `compare`; expected one of modulo, rendezvous, or several with spaces between\n" +
				"1:29: `modulo` stands twice in `compare`; expected it once"},
		{"follow what is not shown", "::ring{compare=rendezvous follow=modulo}\n",
			"1:34: `follow=modulo` follows a rule that is not shown; expected one of ring, rendezvous, or modulo in `compare` too"},
		{"follow what is shown", "::ring{compare=modulo follow=modulo}\n\n::ring{compare=modulo follow=ring}\n\n::ring{follow=rendezvous}\n", ""},
		{"one tower too many arrives", "::ring{towers=128 arrives=1}\n", "1:27: `arrives=1` after `towers=128`; expected at most 128 towers together"},
		{"the last tower arrives", "::ring{towers=127 arrives=1}\n", ""},
		{"as many rings as there may be", strings.Repeat("::ring\n\n", 12), ""},
		{"too many rings", strings.Repeat("::ring\n\n", 14),
			"25:1: `::ring` once more; expected at most 12 in a lesson\n27:1: `::ring` once more; expected at most 12 in a lesson"},
		{"as many letters as there may be", "::ring{letters=1000000}\n\n::ring{letters=1000000}\n\n::ring{letters=0}\n", ""},
		{"too many letters in all", "::ring{letters=1000000}\n\n:::details\n::ring{letters=999000}\n:::\n\n::ring\n\n::ring{letters=1001}\n\n::ring{letters=1000}\n",
			"7:3: `letters=2000` after 1999000 in the rings above; expected at most 2000000 in a lesson\n" +
				"9:16: `letters=1001` after 1999000 in the rings above; expected at most 2000000 in a lesson"},
		{"after letters of two bytes", `::ring{caption="żółw" towers=x}` + "\n", "1:30: `towers=x`; expected a whole number from 0 to 128"},
		{"in a list", "- Text.\n\n  ::ring{towers=x}\n", "3:3: `::ring` stands within something else; expected it at the margin of the page or within `:::details`"},
		{"text behind", "::ring{} text\n", "1:10: text after the directive; expected it alone on its line"},

		{"leaf with three colons", ":::ring\n:::\n", "1:1: `ring` is alone on its line; expected `::ring` with two colons, and no `:::` after it"},
		{"container with two colons", "::note\nText.\n", "1:1: `note` has content; expected `:::note` with three colons, and `:::` on a line after it"},
		{"not closed", "Text.\n\n:::note\nText.\n\n### Small\n", "3:1: `:::note` is not closed; expected a line `:::` after it"},
		{"not closed before a section", ":::note\nText.\n```\n## Code\n```\n## Heading\n\n:::rule\nText.\n:::\n",
			"1:1: `:::note` is not closed; expected a line `:::` after it"},
		{"closed twice", ":::note\nText.\n:::\n\n:::\n", "5:1: `:::` closes nothing; expected a container such as `:::note` above it"},
		{"one within another", ":::details\n:::note\nText.\n:::\n:::\n",
			"2:1: `:::note` stands within another container; expected it before or after that"},
		{"::: after a leaf", ":::details\n::ring\n:::\n\n:::details\n$$x$$\n:::\n\n:::note\n- Text.\n:::\n\n:::rule\n> Text.\n:::\n", ""},
		{"::: in a formula closes nothing", ":::details\n$$\n:::\n$$\n:::\n", ""},
		{"::: in code closes nothing", ":::details\n```\n:::\n```\n:::\n", ""},
		{"empty note", ":::note\n:::\n", "1:1: `:::note` is empty; expected text before the line `:::`"},
		{"empty rule", ":::rule\n:::\n", "1:1: `:::rule` is empty; expected the sentence to remember before the line `:::`"},

		{"no answer", ":::predict\nWhat?\n:::\n", "1:4: `predict` needs `answer`; expected for example `answer=80`"},
		{"answer in words", ":::predict{answer=many}\nWhat?\n:::\n", "1:19: `answer=many`; expected a number such as 80.75"},
		{"answer off the scale", ":::predict{answer=101}\nWhat?\n:::\n", "1:19: `answer=101`; expected a number from min=0 to max=100"},
		{"no scale", ":::predict{answer=1 min=5 max=5}\nWhat?\n:::\n", "1:4: `min=5` and `max=5`; expected min to be less than max"},
		{"tolerance in words", ":::predict{answer=1 tolerance=some}\nWhat?\n:::\n", "1:31: `tolerance=some`; expected a number such as 80.75"},
		{"negative tolerance", ":::predict{answer=1 tolerance=-1}\nWhat?\n:::\n", "1:31: `tolerance=-1`; expected a number from 0 to 1000000000"},
		{"a scale out of this world", ":::predict{answer=1 min=-2e9 max=1e300}\nWhat?\n:::\n",
			"1:25: `min=-2e9`; expected a number from -1000000000 to 1000000000\n" +
				"1:34: `max=1e300`; expected a number from -1000000000 to 1000000000"},
		{"as wide a scale as there may be", ":::predict{answer=1 min=-1e9 max=1e9}\nWhat?\n:::\n", ""},
		{"no scale, and an answer out of this world", ":::predict{answer=1e300 min=5 max=5}\nWhat?\n:::\n",
			"1:4: `min=5` and `max=5`; expected min to be less than max\n1:19: `answer=1e+300`; expected a number from min=0 to max=1e+09"},
		{"no question", ":::predict{answer=1}\n---\nSo.\n:::\n", "1:1: `:::predict` asks nothing; expected a question before the line `---`"},

		{"no choices", ":::quiz\nWhat?\n:::\n", "1:1: `:::quiz` has no choices; expected a list with `- [ ]` and `- [x]`"},
		{"no right choice", ":::quiz\n- [ ] a\n- [ ] b\n:::\n",
			"1:1: `:::quiz` has 2 choices of which 0 are right; expected two or more with a right one, `- [x]`"},
		{"a choice without a box", ":::quiz\n- a\n- [ ] b\n- [x] c\n:::\n",
			"2:1: a choice without a box; expected `- [ ]` for a wrong one and `- [x]` for a right one"},
		{"a choice without words", ":::quiz\n- [ ] a\n- [x] b\n- [x]\n:::\n",
			"4:1: a choice without words; expected them after the box"},
		{"text after the choices", ":::quiz\n- [ ] a\n- [x] b\n\nText.\n:::\n",
			"5:1: text after the choices; expected it before them, or indented under one of them"},
		{"ids of questions", ":::quiz{id=there}\n- [ ] a\n- [x] b\n:::\n\n:::quiz{id=there}\n- [ ] a\n- [x] b\n:::\n\n:::quiz{id=\"a b\"}\n- [ ] a\n- [x] b\n:::\n",
			"6:12: the id `there` is taken; expected another one\n11:13: `a b` is no id; expected letters, digits, - and _"},

		{"ids of questions that are the page's", ":::quiz{id=chart}\n- [ ] a\n- [x] b\n:::\n\n:::predict{id=exercise-owner answer=1}\nWhat?\n:::\n",
			"1:12: the id `chart` belongs to the page itself; expected another one\n" +
				"6:15: the id `exercise-owner` belongs to the page itself; expected another one"},

		{"no exercise of that name", "::exercise{id=owner}\n", "1:15: unknown exercise `owner`; expected a folder exercises/owner in this lesson"},
		{"no exercise named", "::exercise\n", "1:3: `exercise` needs `id`; expected for example `id=owner`"},

		{"h1", "# Title\n", "1:1: `#` is the title, which stands in the front matter; expected `##` for a section"},
		{"two headings with one id", "## One {#a}\n\n### Two {#a}\n", "3:9: the id `a` is taken by line 7; expected another one, as in `{#a-2}`"},
		{"two headings with one name", "## One\n\n## One\n", "3:1: the id `one` is taken by line 7; expected another one, as in `{#one-2}`"},
		{"three headings with one id", "## One {#a}\n\n## Two {#a}\n\n## Three {#a}\n",
			"3:8: the id `a` is taken by line 7; expected another one, as in `{#a-2}`\n" +
				"5:10: the id `a` is taken by line 7; expected another one, as in `{#a-3}`"},
		{"an id of the page", "## The lesson {#lesson}\n\n### Small {#the-ask}\n",
			"1:15: the id `lesson` belongs to the page itself; expected another one, as in `{#section-lesson}`\n" +
				"3:11: the id `the-ask` belongs to the page itself; expected another one, as in `{#section-the-ask-2}`"},
		{"two headings with an id that has no number", "## Figures {#fig}\n\n## Figures {#fig}\n",
			"3:12: the id `fig` is taken by line 7; expected another one, as in `{#section-fig-2}`"},
		{"words that are an id of the page", "## Text\n\n## The first rule\n\n[a](#section-text) [b](#section-the-first-rule-2)\n", ""},
		{"a heading with a class", "## One {.a}\n", "1:8: a heading takes no attribute `class`; expected only `{#id}`"},
		{"a heading without words", "##\n", "1:1: a heading without words; expected text after the #"},
		{"a heading in a list", "- ## One\n", "1:3: `##` stands within something else; expected a section at the margin, or `###` here"},

		{"script link", "[x](javascript:alert(1))\n",
			"1:5: a link may not lead to `javascript:`; expected http:, https: or mailto:, #heading or ../NN-name/lesson.md"},
		{"script link in disguise", "[x](java&#115;cript:alert(1)) <JAVASCRIPT:x>\n",
			"1:5: a link may not lead to `javascript:`; expected http:, https: or mailto:, #heading or ../NN-name/lesson.md\n" +
				"1:31: a link may not lead to `javascript:`; expected http:, https: or mailto:, #heading or ../NN-name/lesson.md"},
		{"link to nowhere", "Go [there]().\n", "1:4: a link to nowhere; expected https://…, #heading or ../NN-name/lesson.md"},
		{"no such lesson", "Go [**there**](../02-othre/lesson.md).\n",
			"1:16: unknown lesson `02-othre` (did you mean `02-other`?); expected one of 01-test, 02-other"},
		{"no such heading here", "## Here\n\n[x](#heer)\n", "3:5: unknown heading `#heer` (did you mean `#here`?); expected #here"},
		{"no such heading there", "[x](../02-other/lesson.md#where)\n", "1:5: unknown heading `#where` (did you mean `#there`?); expected #there"},
		{"no such exercise", "[x](../02-other/exercises/owners/task.md)\n", "1:5: unknown exercise `owners` (did you mean `owner`?); expected owner"},
		{"no page", "[x](../02-other)\n", "1:5: `../02-other` is no page of the course; expected ../NN-name/lesson.md or exercises/NAME/task.md"},
		{"out of the course", "[x](../../../../etc/passwd)\n",
			"1:5: `../../../../etc/passwd` is no page of the course; expected ../NN-name/lesson.md or exercises/NAME/task.md"},
		{"no path", "[x](%zz.md)\n", "1:5: `%zz.md` is no path; expected one such as ../NN-name/lesson.md"},
		{"no such lesson for an exercise", "[x](../09-none/exercises/owner/task.md)\n", "1:5: unknown lesson `09-none`; expected one of 01-test, 02-other"},
		{"no heading to link to", "[x](#any)\n", "1:5: unknown heading `#any`; there is none to link to"},
		{"an id that is none", "## One {#a+b}\n\n## Two {id=\"c d\"}\n", "1:8: the id cannot be read; expected `{#id}` with letters, digits, - and _\n3:8: `c d` is no id; expected letters, digits, - and _"},
		{"slash", "[x](/lessons/02-other)\n", "1:5: `/lessons/02-other` begins with a slash; expected the other file, as in ../NN-name/lesson.md"},
		{"other host", "[x](//example.org)\n", "1:5: `//example.org` begins with a slash; expected the other file, as in ../NN-name/lesson.md"},
		{"no host", "[x](https://)\n", "1:5: `https://` is no address; expected one such as https://example.org/page"},
		{"defined elsewhere", "Go [there][t].\n\n[t]: ../02-none/lesson.md\n", "1:4: unknown lesson `02-none`; expected one of 01-test, 02-other"},
		{"good links", "## Here\n\n[a](#here) [b](../02-other/lesson.md) [c](../02-other/lesson.md#there) [d](https://a.org) " +
			"[e](mailto:a@b.org) [f](../02-other/exercises/owner/task.md) <https://a.org> <a@b.org> [g](#fig-1)\n\n::ring\n", ""},

		{"image", "Look: ![a ring](ring.png)\n", "1:7: lessons show no image files; expected `::ring{…}`, or words"},
		{"HTML", "Text <b>bold</b>.\n\n<div>\n</div>\n",
			"1:6: HTML is not shown; expected Markdown, or `\\<` for the sign itself\n" +
				"1:13: HTML is not shown; expected Markdown, or `\\<` for the sign itself\n" +
				"3:1: HTML is not shown; expected Markdown, or `\\<` for the sign itself"},
		{"a comment", "Text <!-- aside -->.\n\n<!--\nfor authors\n-->\n", ""},
		{"HTML behind a comment", "<!-- a --><script>x</script><!-- b -->\n", "1:1: HTML is not shown; expected Markdown, or `\\<` for the sign itself"},
		{"unknown language", "Text.\n\n```golang\n```\n", "3:4: unknown language `golang`; expected one of " + strings.ReplaceAll(languages, " ", ", ")},
		{"dollars in a line", "Text $$x$$ text.\n", "1:6: `$$` stands within a line; expected `$` here, or `$$…$$` alone"},
		{"no end of a formula", "$$\nx\n\nText.\n", "1:1: `$$` is not closed; expected `$$` before the next empty line"},
		{"empty formula", "$$\n$$\n", "1:3: an empty formula; expected TeX between the dollars"},
		{"money", "It costs $5 or $6, \\$7$ or $ 8 $.\n", ""},
		{"no text at all", "Text \xff.\n", "1:6: a byte that is no text; expected UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := lessonOf(t, c.body)
			if got := short(l.Problems); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
			}
			placed := problemsIn(l.Body)
			for _, p := range l.Problems {
				if !placed[p] && p.Message != "a byte that is no text; expected UTF-8" {
					t.Errorf("%s stands nowhere in the page", p)
				}
			}
		})
	}
}

// problemsIn gives the problems that stand in a page.
func problemsIn(blocks []Block) map[Problem]bool {
	all := make(map[Problem]bool)
	for _, b := range blocks {
		switch b := b.(type) {
		case Problem:
			all[b] = true
		case Details:
			for p := range problemsIn(b.Body) {
				all[p] = true
			}
		}
	}
	return all
}

func TestMistakesInAFormula(t *testing.T) {
	needsTemml(t)
	for body, want := range map[string]string{
		"Text $a \\foo$.\n":                    `1:9: formula: unsupported function name: \foo`,
		"Żółw $ż = \\foo$.\n":                  `1:11: formula: unsupported function name: \foo`,
		"$$\na +\n  \\foo\n$$\n":               `3:3: formula: unsupported function name: \foo`,
		"$$a + \\foo$$\n":                      `1:7: formula: unsupported function name: \foo`,
		"- Text.\n\n  $$\n  a + \\foo\n  $$\n": `4:7: formula: unsupported function name: \foo`,
	} {
		l := lessonOf(t, body)
		if got := short(l.Problems); got != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
}

func TestTheLineIsQuoted(t *testing.T) {
	l := lessonOf(t, "Text.\r\n\r\n::ring{points=0}\r\n")
	if len(l.Problems) != 1 || l.Problems[0].Source != "::ring{points=0}" {
		t.Errorf("problems %+v, want one with its line", l.Problems)
	}
	if got, want := l.Problems[0].String(), "course/01-test/lesson.md:9:15: `points=0`; expected a whole number from 1 to 1000"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
