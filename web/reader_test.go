package web

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/ringoftowers/towers/lessons"
)

// three are lessons with two exercises, one and none; one more exercise is not in the text.
func three() *lessons.Course {
	exercise := func(id string, number int) *lessons.Exercise {
		return &lessons.Exercise{ID: id, Number: number, Title: strings.ToUpper(id)}
	}
	return &lessons.Course{Lessons: []*lessons.Lesson{
		{Name: "01-a", Number: 1, Title: "A", Exercises: []*lessons.Exercise{exercise("x", 1), exercise("y", 2), exercise("unlinked", 0)}},
		{Name: "02-b", Number: 2, Title: "B", Exercises: []*lessons.Exercise{exercise("x", 1)}},
		{Name: "03-c", Number: 3, Title: "C"},
	}}
}

// has makes a reader who has read lessons, as "01-a", and passed exercises, as "01-a/x".
func has(did ...string) Reader {
	r := Reader{Kept: true, Read: map[string]bool{}, Passed: map[Place]bool{}}
	for _, what := range did {
		if lesson, exercise, passed := strings.Cut(what, "/"); passed {
			r.Passed[Place{lesson, exercise}] = true
		} else {
			r.Read[lesson] = true
		}
	}
	return r
}

func TestDoneAndHere(t *testing.T) {
	course := three()
	for _, c := range []struct {
		reader       Reader
		done         string
		here, button string
	}{
		{Reader{}, "", "", "Begin with lesson 1, A"},
		{has("01-a"), "", "01-a", "Go on with lesson 1, A"},
		{has("01-a", "01-a/x"), "", "01-a", "Go on with lesson 1, A"},
		{has("01-a/x", "01-a/y"), "", "01-a", "Go on with lesson 1, A"},
		{has("01-a", "01-a/x", "01-a/y"), "01-a", "02-b", "Go on with lesson 2, B"},
		{has("02-b"), "", "02-b", "Go on with lesson 2, B"},
		{has("03-c"), "03-c", "01-a", "Go on with lesson 1, A"},
		{has("02-b", "02-b/x"), "02-b", "03-c", "Go on with lesson 3, C"},
		{has("01-a", "01-a/x", "01-a/y", "02-b", "02-b/x", "03-c"), "01-a 02-b 03-c", "", "Every light is lit"},
		{has("99-gone", "01-a/gone"), "", "", "Begin with lesson 1, A"},
	} {
		var done []string
		for _, l := range course.Lessons {
			if c.reader.Done(l) {
				done = append(done, l.Name)
			}
		}
		here := ""
		if l := c.reader.here(course); l != nil {
			here = l.Name
		}
		if got := strings.Join(done, " "); got != c.done || here != c.here {
			t.Errorf("%v, %v: done %q, here %q; want %q, %q", c.reader.Read, c.reader.Passed, got, here, c.done, c.here)
		}
		if page := render(t, next(course, c.reader)); !strings.Contains(page, c.button) {
			t.Errorf("%v, %v: the button is %q, want %q", c.reader.Read, c.reader.Passed, page, c.button)
		}
	}
}

func TestTheEndSaysWhatIsStillOpen(t *testing.T) {
	course := three()
	for _, c := range []struct {
		lesson int
		reader Reader
		want   string
	}{
		{0, has(), "Mark as read"},
		{0, has(), `data-after="You have read this lesson. Its light is lit once you pass “X” and “Y”."`},
		{0, has("01-a"), "<span>You have read this lesson. Its light is lit once you pass “X” and “Y”.</span>"},
		{0, has("01-a", "01-a/x"), "once you pass “Y”."},
		{0, has("01-a", "01-a/x", "01-a/y"), "passed its exercises: its light is lit"},
		{2, has("03-c"), "You have read this lesson: its light is lit."},
		{2, Reader{}, ""},
	} {
		l := course.Lessons[c.lesson]
		if got := render(t, standing(l)(c.reader)); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%v, %v: the end of %s is %q, want %q in it", c.reader.Read, c.reader.Passed, l.Name, got, c.want)
		}
	}
}

func TestAnswersAreToldInWords(t *testing.T) {
	quiz := chosen(lessons.Quiz{Choices: make([]lessons.Choice, 3)})
	guess := guessed(lessons.Predict{Min: 0, Max: 10, Unit: "letters"})
	for _, c := range []struct{ got, want string }{
		{quiz("1"), "Last time you answered B."},
		{quiz("0 1 2"), "Last time you answered A, B and C."},
		{quiz("3"), ""}, {quiz("-1"), ""}, {quiz("x"), ""}, {quiz(""), ""},
		{guess("2.5"), "Last time you guessed 2.5\u00a0letters."},
		{guess("11"), ""}, {guess("NaN"), ""}, {guess(""), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// The pages of a reader keep the same rules as all others: nothing inline, no id twice, and
// nothing that a reader wrote is markup.
func TestPersonalPagesKeepThePolicy(t *testing.T) {
	course := embedded(t)
	lesson := course.Lessons[1]
	evil := `"><script>alert(1)</script><b onclick="x" style="y">`
	reader := has(lesson.Name)
	reader.Name, reader.Instructor, reader.Path = evil, true, "/lessons/"+evil
	reader.Notes = Notes{Form: NoteForm{Anchor: lesson.Sections[0].ID, Body: evil, Fault: evil}, All: []Note{
		{ID: "ONE", Lesson: evil, Anchor: lesson.Sections[0].ID, Body: evil, Changed: time.Now()},
		{ID: "TWO", Lesson: lesson.Name, Anchor: evil, Body: evil, Changed: time.Now()},
	}}
	guest := reader
	guest.Name, guest.Guest = "", true
	form := SignForm{Name: evil, NameFault: evil, PasswordFault: evil, Fault: evil}
	for name, draw := range map[string]func(Reader) string{
		"lesson": func(r Reader) string {
			stencil, err := Cut(t.Context(), Lesson(LessonPage{Course: course, Lesson: lesson}))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := stencil.Fill(t.Context(), &b, r); err != nil {
				t.Fatal(err)
			}
			return b.String()
		},
		"index": func(r Reader) string {
			var b strings.Builder
			if err := Index(IndexPage{Course: course}).Render(WithReader(t.Context(), r), &b); err != nil {
				t.Fatal(err)
			}
			return b.String()
		},
		"account": func(r Reader) string {
			return render(t, Account(AccountPage{Course: course, Reader: r, Back: evil, Done: evil, SignUp: form, SignIn: form,
				Password: PasswordForm{evil, evil}, DeleteFault: evil, Invitation: evil}))
		},
		"join": func(r Reader) string { return render(t, Join(JoinPage{Reader: r, Token: evil, Fault: evil})) },
	} {
		for _, r := range []Reader{reader, guest} {
			page := draw(r)
			for _, found := range running(page) {
				t.Errorf("%s has %s", name, found)
			}
			for _, id := range duplicates(page) {
				if id != "my-text" && id != "my-hint" && id != "my-fault" { // once more in the template for scripts
					t.Errorf("%s has id %q twice", name, id)
				}
			}
		}
	}
}

// running lists what in a page would run or set a style, as a browser reads it.
func running(page string) []string {
	var found []string
	for tokens := html.NewTokenizer(strings.NewReader(page)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		if token.Type == html.EndTagToken {
			continue
		}
		sourced := false
		for _, a := range token.Attr {
			sourced = sourced || a.Key == "src"
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
				found = append(found, token.String())
			}
		}
		if token.Data == "style" || token.Data == "script" && !sourced {
			found = append(found, token.String())
		}
	}
	return found
}
