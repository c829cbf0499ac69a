package lessons

import (
	"reflect"
	"strings"
	"testing"
)

// ownerLesson is a lesson with the exercise owner, but for the files that are changed.
func ownerLesson(t testing.TB, changed files) *Lesson {
	t.Helper()
	return lessonOf(t, "::exercise{id=owner}\n", owner.with(changed).under("01-test/exercises/owner"))
}

func TestExercise(t *testing.T) {
	l := ownerLesson(t, nil)
	if len(l.Problems) > 0 {
		t.Fatalf("problems: %s", long(l.Problems))
	}
	got := *l.Exercises[0]
	got.origin, got.folder = origin{}, ""
	want := Exercise{
		ID: "owner", Number: 1, Title: "Who keeps it?", Points: 10, Kind: Code, Imports: []string{"sort"},
		Hints: []string{"Mind the <em>seam</em>."},
		Task:  []Block{HTML{"<p>Write <code>Owner</code>.</p>\n"}},
		Start: owner["start.go"], Solution: owner["solution.go"], Tests: owner["check_test.go"],
		Checks: []string{"TestOwner", "TestHiddenSeam"},
		Wrong:  []Wrong{{Name: "no-wrap", Fails: []string{"TestOwner", "TestHiddenSeam"}, Source: owner["wrong/no-wrap.go"]}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if link, ok := l.Body[0].(ExerciseLink); !ok || link.Exercise != l.Exercises[0] || link.Number != 1 {
		t.Errorf("the lesson has %+v, want a link to the exercise", l.Body[0])
	}
}

func TestMistakesInAnExercise(t *testing.T) {
	const test = "package exercise_test\n\nimport \"testing\"\n\n"
	for _, c := range []struct {
		name    string
		changed files
		want    string
	}{
		{"no task", files{"task.md": ""}, "task.md:1:1: the file is missing; expected the task, with `title: …` between two lines `---` above it"},
		{"an empty task", files{"task.md": "---\ntitle: T\n---\n"}, "task.md:4:1: no task; expected text below the front matter"},
		{"no start", files{"start.go": ""}, "start.go:1:1: the file is missing; expected what the learner starts from, which compiles and does not pass"},
		{"no solution", files{"solution.go": ""}, "solution.go:1:1: the file is missing; expected the reference, which passes"},
		{"no tests' file", files{"check_test.go": ""}, "check_test.go:1:1: the file is missing; expected the tests, `package exercise_test`"},
		{"no wrong", files{"wrong/no-wrap.go": ""},
			"wrong:1:1: no typical mistakes; expected files wrong/NAME.go, each beginning with `// fails: TestName`"},
		{"no title", files{"task.md": "---\npoints: 1\n---\nText.\n"},
			"task.md:1:1: the front matter has no `title`; expected for example `title: Who keeps this letter?`"},
		{"no points", files{"task.md": "---\ntitle: T\npoints: 0\n---\nText.\n"}, "task.md:3:9: `points: 0`; expected a whole number from 1 to 1000"},
		{"no such kind", files{"task.md": "---\ntitle: T\nkind: test\n---\nText.\n"},
			"task.md:3:7: `kind: test` (did you mean `tests`?); expected one of code, tests"},
		{"an import that is none", files{"task.md": "---\ntitle: T\nimports: [sort, ../x]\n---\nText.\n"},
			"task.md:3:17: `../x` is no import path; expected one such as sort or math/bits"},
		{"a quiz in the task", files{"task.md": "---\ntitle: T\n---\n:::quiz\n- [x] a\n:::\n"},
			"task.md:4:4: `quiz` has no place in a task; expected text, notes, rules and details"},
		{"what draws or asks in the task", files{"task.md": "---\ntitle: T\n---\n::ring\n\n:::predict{answer=1}\nWhat?\n:::\n\n" +
			"::exercise{id=owner}\n\n:::details\nText.\n\n::ring\n:::\n"},
			"task.md:4:3: `ring` has no place in a task; expected text, notes, rules and details\n" +
				"task.md:6:4: `predict` has no place in a task; expected text, notes, rules and details\n" +
				"task.md:10:3: `exercise` has no place in a task; expected text, notes, rules and details\n" +
				"task.md:15:3: `ring` has no place in a task; expected text, notes, rules and details"},
		{"an unknown directive in the task", files{"task.md": "---\ntitle: T\n---\n:::rules\nText.\n:::\n\nText.\n"},
			"task.md:4:4: unknown directive `rules` (did you mean `rule`?); expected one of details, note, rule"},
		{"what a task may have", files{"task.md": "---\ntitle: T\n---\nText.\n\n:::note\nText.\n:::\n\n:::rule\nText.\n:::\n\n:::details\nText.\n:::\n\n### Small\n\n### Small\n"}, ""},
		{"large headings in the task", files{"task.md": "---\ntitle: T\n---\n# One\n\n## Two\n"},
			"task.md:4:1: `#` in a task, which stands in a section of the lesson; expected `###`\n" +
				"task.md:6:1: `##` in a task, which stands in a section of the lesson; expected `###`"},
		{"a heading with an id in the task", files{"task.md": "---\ntitle: T\n---\n### Small {#small}\n\nSee [it](#small).\n"},
			"task.md:4:11: a heading of a task has no id, since the task stands in the lesson's page; expected it without `{…}`\n" +
				"task.md:6:10: unknown heading `#small`; there is none to link to"},
		{"a bad link in a hint", files{"task.md": "---\ntitle: T\nhints:\n  - \"Text.\"\n  - See [this](x.md).\n---\nText.\n"},
			"task.md:5:5: `x.md` is no page of the course; expected ../NN-name/lesson.md or exercises/NAME/task.md"},
		{"a directive in a hint", files{"task.md": "---\ntitle: T\nhints:\n  - \"::ring\"\n---\nText.\n"},
			"task.md:4:5: `::ring` stands within something else; expected it at the margin of the page or within `:::details`"},
		{"no Go", files{"start.go": "package exercise\n\nfunc Owner( {\n"}, "start.go:3:13: this is no Go: expected ')', found '{'"},
		{"other package", files{"solution.go": "// Ż\npackage  main\n"}, "solution.go:2:10: package `main`; expected `package exercise`"},
		{"tests of the inside", files{"check_test.go": "package exercise\n\nimport \"testing\"\n\nfunc TestOwner(t *testing.T) {}\n" +
			"func TestHiddenSeam(t *testing.T) {}\n"}, "check_test.go:1:9: package `exercise`; expected `package exercise_test`"},
		{"no tests", files{"check_test.go": test + "func TestMain(m *testing.M) {}\n\nfunc helper(t *testing.T) {}\n"},
			"check_test.go:1:9: no tests; expected functions such as `func TestWrapsAround(t *testing.T)`"},
		{"a test without a name", files{"check_test.go": test + "func TestOwner(t *testing.T) {}\nfunc TestHiddenSeam(t *testing.T) {}\nfunc Test(t *testing.T) {}\n"},
			"check_test.go:7:6: a test without a name; expected one that says what it tests, such as `TestWrapsAround`"},
		{"a subtest without a name", files{"check_test.go": test + "func TestOwner(t *testing.T) {\n\tt.Run(\"\", nil)\n}\nfunc TestHiddenSeam(t *testing.T) {}\n"},
			"check_test.go:6:8: a test without a name; expected one that says what it tests"},
		{"a test in small letters", files{"check_test.go": test + "func TestOwner(t *testing.T) {}\nfunc TestHiddenSeam(t *testing.T) {}\nfunc Testwrap(t *testing.T) {}\n"},
			"check_test.go:7:6: `Testwrap` is no test for go test; expected a capital letter after `Test`"},
		{"a test twice", files{"check_test.go": test + "func TestOwner(t *testing.T) {}\nfunc TestHiddenSeam(t *testing.T) {}\nfunc TestOwner(t *testing.T) {}\n"},
			"check_test.go:7:6: `TestOwner` is declared twice; expected one test of that name"},
		{"a wrong one that fails nowhere", files{"wrong/b.go": "package exercise\n"},
			"wrong/b.go:1:1: the first line says not where this fails; expected `// fails: TestOwner`, or several with commas between"},
		{"a wrong one that fails unknown tests", files{"wrong/b.go": "// fails: TestOwner,  TestOwmer, , TestOwner\npackage exercise\n"},
			"wrong/b.go:1:23: no test `TestOwmer` (did you mean `TestOwner`?); expected one of TestOwner, TestHiddenSeam\n" +
				"wrong/b.go:1:34: a comma too many; expected the name of a test\n" +
				"wrong/b.go:1:36: `TestOwner` stands twice; expected it once"},
		{"what is no Go file is none", files{"wrong/notes.txt": "x", "wrong/.hidden.go": "x"}, ""},
		{"tests to write", files{"task.md": "---\ntitle: T\nkind: tests\n---\nText.\n", "start.go": "package exercise_test\n"}, ""},
		{"tests to write, a program to start from", files{"task.md": "---\ntitle: T\nkind: tests\n---\nText.\n"},
			"start.go:1:9: package `exercise`; expected `package exercise_test`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := ownerLesson(t, c.changed)
			got := strings.ReplaceAll(long(l.Problems), "course/01-test/exercises/owner/", "")
			if got != c.want {
				t.Errorf(" got %s\nwant %s", got, c.want)
			}
			if len(l.Exercises) != 1 || l.Exercises[0].Title == "" || l.Exercises[0].Points < 1 || l.Exercises[0].Kind == "" {
				t.Errorf("the exercise is %+v", l.Exercises)
			}
		})
	}
}

// A task and its hints are shown within the lesson's page, where an id of theirs could be there
// already.
func TestATaskHasNoIDs(t *testing.T) {
	const text = "### Small\n\n## Large {#large}\n\n:::details\n### Small\n\n::ring\n:::\n\n:::quiz{id=q}\n- [ ] a\n- [x] b\n:::\n"
	e := ownerLesson(t, files{"task.md": "---\ntitle: T\nhints: [\"### Small\"]\n---\n" + text}).Exercises[0]
	all := append(htmlOf(e.Task), e.Hints...)
	want := []string{"<h3>Small</h3>\n<h3>Large</h3>\n", "<h3>Small</h3>\n", "<h3>Small</h3>"}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("got %q\nwant %q", all, want)
	}
	for _, b := range e.Task {
		switch b.(type) {
		case HTML, Details, Problem:
		default:
			t.Errorf("the task has %+v", b)
		}
	}
}

func TestExercisesAreNumberedAsTheTextNamesThem(t *testing.T) {
	l := lessonOf(t, "::exercise{id=second}\n\n::exercise{id=first}\n\n::exercise{id=second}\n",
		owner.under("01-test/exercises/first"), owner.under("01-test/exercises/second"), owner.under("01-test/exercises/third"))
	numbers := make(map[string]int)
	for _, e := range l.Exercises {
		numbers[e.ID] = e.Number
	}
	if want := map[string]int{"second": 1, "first": 2, "third": 3}; !reflect.DeepEqual(numbers, want) {
		t.Errorf("numbers %v, want %v", numbers, want)
	}
	if len(l.Body) != 3 {
		t.Errorf("the page has %d blocks, want two exercises and a problem", len(l.Body))
	}
	want := "course/01-test/lesson.md:11:15: the exercise `second` stands twice; expected it once\n" +
		"course/01-test/exercises/third/task.md:1:1: the lesson does not lead here; expected `::exercise{id=third}` in lesson.md"
	if got := long(l.Problems); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	e, err := l.Exercise("thrid")
	if err == nil || err.Error() != `no exercise "thrid"; the nearest is "third"` {
		t.Errorf("an exercise that is not there gives %v, %v", e, err)
	}
}

func TestTestNames(t *testing.T) {
	got := parseGo("check_test.go", []byte("package p\nfunc TestB(t *testing.T) {}\nfunc TestA(*testing.T) {}\nfunc Test1(t *T) {}\nfunc Test_x(t *testing.T) {}\n"+
		"func TestÉ(t *testing.T) {}\nfunc Testé(t *testing.T) {}\nfunc Test(t *testing.T) {}\nfunc TestC() {}\nfunc TestD(b *testing.B) {}\n"+
		"func (x X) TestE(t *testing.T) {}\nfunc TestF[T any](t *testing.T) {}\nfunc TestG(t *testing.T) int {}\nfunc TestH(t, u *testing.T) {}\n"), "p").checkTests()
	want := []string{"TestB", "TestA", "Test1", "Test_x", "TestÉ"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := parseGo("check_test.go", []byte("package"), "p").checkTests(); got != nil {
		t.Errorf("what is no Go has the tests %v", got)
	}
}
