package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A mutation is a method that writes; grows says that it needs more pages than a file has
// whose pages are all in use.
type mutation struct {
	name  string
	grows bool
	do    func(context.Context, *Store, rows) error
}

// mutations are all methods that write, on the rows that prepare makes.
func mutations() []mutation {
	long := strings.Repeat("x", 64<<10)
	return []mutation{
		{"CreateGuest", true, func(ctx context.Context, s *Store, _ rows) error {
			_, err := s.CreateGuest(ctx)
			return err
		}},
		{"Register", true, func(ctx context.Context, s *Store, r rows) error {
			return s.Register(ctx, r.guest.ID, "Bob "+long, "hash")
		}},
		{"SetPassword", true, func(ctx context.Context, s *Store, r rows) error {
			return s.SetPassword(ctx, r.account.ID, long)
		}},
		{"Adopt", false, func(ctx context.Context, s *Store, r rows) error {
			return s.Adopt(ctx, r.guest.ID, r.account.ID)
		}},
		{"DeleteLearner", false, func(ctx context.Context, s *Store, r rows) error {
			return s.DeleteLearner(ctx, r.guest.ID)
		}},
		{"Invite", true, func(ctx context.Context, s *Store, _ rows) error {
			return s.Invite(ctx, []byte(long), after(9))
		}},
		{"Redeem", false, func(ctx context.Context, s *Store, r rows) error {
			return s.Redeem(ctx, []byte("link"), r.guest.ID, noon())
		}},
		{"CommitCtx", true, func(ctx context.Context, s *Store, _ rows) error {
			return s.CommitCtx(ctx, "token", []byte(long), after(9))
		}},
		{"DeleteCtx", false, func(ctx context.Context, s *Store, _ rows) error {
			return s.DeleteCtx(ctx, "session")
		}},
		{"SweepSessions", false, func(ctx context.Context, s *Store, _ rows) error {
			return s.SweepSessions(ctx, after(10))
		}},
		{"AddSubmission", true, func(ctx context.Context, s *Store, r rows) error {
			sub := submission(r.guest.ID, 1)
			sub.Source = long
			return s.AddSubmission(ctx, sub, 0)
		}},
		{"Record", true, func(ctx context.Context, s *Store, r rows) error {
			first, err := s.Record(ctx, r.submission.ID, "failed", fmt.Appendf(nil, `{"message":%q}`, long), after(2))
			if err == nil && !first {
				return errors.New("the first verdict is not the first")
			}
			return err
		}},
		{"CountAttempt", false, func(ctx context.Context, s *Store, r rows) error {
			_, err := s.CountAttempt(ctx, r.submission.ID)
			return err
		}},
		{"SaveDraft", true, func(ctx context.Context, s *Store, r rows) error {
			return s.SaveDraft(ctx, r.guest.ID, "l", "e", long, noon())
		}},
		{"MarkRead", true, func(ctx context.Context, s *Store, r rows) error {
			return s.MarkRead(ctx, r.guest.ID, long, noon())
		}},
		{"SaveAnswer", true, func(ctx context.Context, s *Store, r rows) error {
			return s.SaveAnswer(ctx, r.guest.ID, Answer{Lesson: "l", Question: "q", Given: long, At: noon()})
		}},
		{"AddNote", true, func(ctx context.Context, s *Store, r rows) error {
			_, err := s.AddNote(ctx, r.guest.ID, Note{Body: long})
			return err
		}},
		{"EditNote", true, func(ctx context.Context, s *Store, r rows) error {
			return s.EditNote(ctx, r.guest.ID, r.note.ID, long, noon())
		}},
		{"DeleteNote", false, func(ctx context.Context, s *Store, r rows) error {
			return s.DeleteNote(ctx, r.guest.ID, r.note.ID)
		}},
	}
}

// rows are what mutations work on.
type rows struct {
	guest, account Learner
	submission     Submission
	note           Note
}

func prepare(t *testing.T, s *Store) rows {
	t.Helper()
	r := rows{guest: guest(t, s), account: account(t, s, "Ada")}
	r.submission = add(t, s, submission(r.guest.ID, 0))
	r.note = get(s.AddNote(t.Context(), r.guest.ID, Note{Lesson: "l", Body: "b", Changed: noon()}))(t)
	must(t, s.Invite(t.Context(), []byte("link"), after(9)))
	must(t, s.CommitCtx(t.Context(), "session", []byte("data"), after(9)))
	return r
}

// A new method must be thought of here: it writes, or it is one of those that do not.
func TestEveryMethodThatWritesIsTried(t *testing.T) {
	known := []string{
		"Backup", "Close", "Commit", "CountTries", "Credentials", "Delete", "Draft", "Export", "Find", "FindCtx", "HasInstructor",
		"LastTries", "Learner", "Notes", "Progress", "Submission", "Tries", "Unjudged",
	}
	for _, m := range mutations() {
		known = append(known, m.name)
	}
	for method := range reflect.TypeFor[*Store]().Methods() {
		if !slices.Contains(known, method.Name) {
			t.Errorf("nothing shows what %s does on a full disk", method.Name)
		}
	}
}

// A page limit stands for a full disk where a test may not fill one. What needs more pages
// must say ErrFull, write nothing, and succeed on the same Store when there is room again.
func TestFullFileIsSaidAndForgotten(t *testing.T) {
	for _, m := range mutations() {
		t.Run(m.name, func(t *testing.T) {
			s := open(t)
			r := prepare(t, s)
			fillPages(t, s)
			if m.grows {
				before := dump(t, s)
				wantError(t, m.do(t.Context(), s, r), ErrFull)
				wantSame(t, "after the failure", dump(t, s), before)
				limitPages(t, s, 1<<20)
			}
			must(t, m.do(t.Context(), s, r))
		})
	}
}

func limitPages(t *testing.T, s *Store, pages int) {
	t.Helper()
	var got int
	must(t, s.writer.db.QueryRowContext(t.Context(), fmt.Sprint("PRAGMA max_page_count = ", pages)).Scan(&got))
}

// fillPages allows no more pages than there are, and uses up the room that is left in them.
func fillPages(t *testing.T, s *Store) {
	t.Helper()
	limitPages(t, s, 1) // SQLite takes it as: none more than now
	for size := 4096; size > 0; size /= 2 {
		for full := false; !full; {
			_, err := s.writer.db.ExecContext(t.Context(), "INSERT INTO learners (id, since) VALUES (? || ?, 0)", NewID(), strings.Repeat("x", size))
			full = errors.Is(explain(err, s.path), ErrFull)
			if !full {
				must(t, err)
			}
		}
	}
}
