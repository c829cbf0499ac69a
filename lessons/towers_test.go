package lessons

import "testing"

func TestNamesOfTowersAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"T-1":              "T-1",
		"so T-12, then":    "T-12",
		"T- and T-":        "",
		"PORT-3, T-3x":     "",
		"T-1#0 is a point": "",
		"ST-1 (T-2)":       "T-2",
		"T-1-2":            "",
		"none":             "",
	} {
		from, to := towerIn([]byte(text))
		if got := text[from:to]; got != want {
			t.Errorf("in %q the tower is %q, want %q", text, got, want)
		}
	}
}

// In a lesson the name of a tower is one piece, and code is left as it is.
func TestNamesOfTowersStayWhole(t *testing.T) {
	text := head + "From T-1 to *T-2*,\nbut `T-3` \\\nis &lt;T-4&gt;.\n"
	course, err := Open(files{"01-test/lesson.md": text}.fs(), "course").Course(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := "<p>From <bdi>T-1</bdi> to <em><bdi>T-2</bdi></em>,\nbut <code>T-3</code> <br>\nis &lt;<bdi>T-4</bdi>&gt;.</p>\n"
	if got := course.Lessons[0].Body[0].(HTML).Text; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
