package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// learnerTables are all tables that say whose a row is, as the file itself tells.
func learnerTables(t *testing.T, s *Store) []string {
	t.Helper()
	tables := column(t, s, `SELECT m.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
		WHERE m.type = 'table' AND c.name = 'learner' ORDER BY m.name`)
	if len(tables) == 0 {
		t.Fatal("no table has a learner; this test looks in the wrong place")
	}
	return tables
}

// live does everything that a learner can do, once. Each text has the mark, and is like no other.
func live(t *testing.T, s *Store, learner, mark string) {
	t.Helper()
	said := func(what string) string { return mark + ": " + what }
	for _, judged := range []bool{true, false} {
		sub := submission(learner, 0)
		sub.Lesson, sub.Exercise, sub.Source = said("lesson"), said("exercise"), said("source")
		add(t, s, sub)
		if judged {
			get(s.Record(t.Context(), sub.ID, said("verdict"), fmt.Appendf(nil, `{"message":%q}`, said("result")), after(1)))(t)
		}
	}
	must(t, s.SaveDraft(t.Context(), learner, said("drafted"), said("draft"), said("typed"), after(2)))
	must(t, s.MarkRead(t.Context(), learner, said("read"), after(3)))
	must(t, s.SaveAnswer(t.Context(), learner, Answer{Lesson: said("asked"), Question: said("question"), Given: said("answer"), At: after(4)}))
	get(s.AddNote(t.Context(), learner, Note{Lesson: said("noted"), Anchor: said("anchor"), Body: said("note"), Changed: after(5)}))(t)
}

// rowsOf counts a learner's rows in each table that has a learner.
func rowsOf(t *testing.T, s *Store, learner string) map[string]string {
	t.Helper()
	counts := map[string]string{}
	for _, table := range learnerTables(t, s) {
		counts[table] = column(t, s, "SELECT count(*) FROM "+table+" WHERE learner = ?", learner)[0]
	}
	return counts
}

// A table that is added later must not be forgotten where a learner is adopted, deleted or
// exported. The first thing to fail is live, which has to fill it.
func TestNoTableOfALearnerIsForgotten(t *testing.T) {
	s := open(t)
	ada, bob, eve := account(t, s, "Ada"), guest(t, s), account(t, s, "Eve")
	live(t, s, bob.ID, "bob was here")
	live(t, s, eve.ID, "eve was here")
	bobs, eves := rowsOf(t, s, bob.ID), rowsOf(t, s, eve.ID)
	for table, count := range bobs {
		if count == "0" {
			t.Errorf("table %s is about learners, and live leaves it empty", table)
		}
	}

	must(t, s.Adopt(t.Context(), bob.ID, ada.ID))
	wantSame(t, "what the account has of the guest", rowsOf(t, s, ada.ID), bobs)
	_, err := s.Learner(t.Context(), bob.ID)
	wantError(t, err, ErrNotFound)

	exported := get(s.Export(t.Context(), ada.ID))(t)
	wantExported(t, s, ada.ID, exported)

	must(t, s.DeleteLearner(t.Context(), ada.ID))
	for table, count := range rowsOf(t, s, ada.ID) {
		if count != "0" {
			t.Errorf("table %s still has %s rows of a deleted learner", table, count)
		}
	}
	for table, lines := range dump(t, s) {
		for _, line := range lines {
			if strings.Contains(line, ada.ID) || strings.Contains(line, bob.ID) || strings.Contains(line, "bob was here") {
				t.Errorf("table %s still knows a deleted learner: %s", table, line)
			}
		}
	}
	wantSame(t, "what another learner has", rowsOf(t, s, eve.ID), eves)
}

// wantExported looks for every value of every row of a learner in the export's JSON, by the
// column's name or another: only keys of our own and counts that the result holds stay home.
func wantExported(t *testing.T, s *Store, learner string, exported Export) {
	t.Helper()
	text := string(get(json.Marshal(exported))(t))
	home := []string{"learner", "seq", "passed", "tests"}
	for _, table := range learnerTables(t, s) {
		for _, name := range column(t, s, "SELECT name FROM pragma_table_info(?)", table) {
			if slices.Contains(home, name) {
				continue
			}
			for _, value := range column(t, s, "SELECT coalesce(CAST("+name+" AS TEXT), '') FROM "+table+" WHERE learner = ?", learner) {
				if !strings.Contains(text, exportedForm(value)) {
					t.Errorf("the export lacks %s.%s = %q", table, name, value)
				}
			}
		}
	}
	for _, secret := range []string{"hash of Ada", "folded"} {
		if strings.Contains(text, secret) {
			t.Errorf("the export tells %q", secret)
		}
	}
}

// exportedForm is how a column's text stands in the export: times are written for people.
func exportedForm(value string) string {
	var micros int64
	if _, err := fmt.Sscan(value, &micros); err == nil && micros > 1e15 {
		return moment(micros).Format(time.RFC3339Nano)
	}
	return value
}

func TestAdoptKeepsTheNewerAndEveryNote(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		name       string
		guest, ada int // when each wrote, in minutes
		want       string
	}{
		{"the guest's is newer", 2, 1, "guest"},
		{"the account's is newer", 1, 2, "account"},
		{"both are of one moment", 1, 1, "account"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bob, ada := guest(t, s), account(t, s, c.name)
			for _, who := range []struct {
				id, text string
				minutes  int
			}{{bob.ID, "guest", c.guest}, {ada.ID, "account", c.ada}} {
				must(t, s.SaveDraft(t.Context(), who.id, "l", "e", who.text, after(who.minutes)))
				must(t, s.SaveAnswer(t.Context(), who.id, Answer{Lesson: "l", Question: "q", Given: who.text, At: after(who.minutes)}))
				must(t, s.MarkRead(t.Context(), who.id, "l", after(who.minutes)))
				get(s.AddNote(t.Context(), who.id, Note{Lesson: "l", Anchor: "a", Body: who.text, Changed: after(who.minutes)}))(t)
			}
			must(t, s.Adopt(t.Context(), bob.ID, ada.ID))
			if draft := get(s.Draft(t.Context(), ada.ID, "l", "e"))(t); draft.Source != c.want {
				t.Errorf("the draft is the %s's; want the %s's", draft.Source, c.want)
			}
			progress := get(s.Progress(t.Context(), ada.ID))(t)
			if len(progress.Answers) != 1 || progress.Answers[0].Given != c.want {
				t.Errorf("the answers are %v; want the %s's", progress.Answers, c.want)
			}
			export := get(s.Export(t.Context(), ada.ID))(t)
			if len(export.Read) != 1 || !export.Read[0].At.Equal(after(1)) {
				t.Errorf("read is %v; want the first time", export.Read)
			}
			if notes := get(s.Notes(t.Context(), ada.ID, "l"))(t); len(notes) != 2 {
				t.Errorf("of two notes, %d are left", len(notes))
			}
		})
	}
}

func TestAdoptRefusesWhoIsNoGuest(t *testing.T) {
	s := open(t)
	ada, eve, bob, mob := account(t, s, "Ada"), account(t, s, "Eve"), guest(t, s), guest(t, s)
	before := dump(t, s)
	for _, c := range [][2]string{{ada.ID, eve.ID}, {bob.ID, mob.ID}, {"nobody", ada.ID}, {bob.ID, "nobody"}, {ada.ID, ada.ID}, {bob.ID, bob.ID}} {
		wantError(t, s.Adopt(t.Context(), c[0], c[1]), ErrNotFound)
	}
	wantSame(t, "after the refusals", dump(t, s), before)
}

func TestAdoptBringsTheInstructorAlong(t *testing.T) {
	s := open(t)
	bob, ada := guest(t, s), account(t, s, "Ada")
	must(t, s.Invite(t.Context(), []byte("link"), after(1)))
	must(t, s.Redeem(t.Context(), []byte("link"), bob.ID, noon()))
	must(t, s.Adopt(t.Context(), bob.ID, ada.ID))
	got := get(s.Learner(t.Context(), ada.ID))(t)
	if !got.Instructor || got.Since.After(bob.Since) {
		t.Errorf("the account is %+v; want an instructor since %v at the latest", got, bob.Since)
	}
	must(t, s.Adopt(t.Context(), guest(t, s).ID, ada.ID))
	if !get(s.Learner(t.Context(), ada.ID))(t).Instructor {
		t.Error("adopting a plain guest took the instructor's right away")
	}
}

func TestExportOfNobody(t *testing.T) {
	_, err := open(t).Export(t.Context(), "nobody")
	wantError(t, err, ErrNotFound)
}
