package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

const (
	exportSubmissions = `SELECT id, lesson, exercise, source, recheck, at, attempts, verdict, result, judged_at FROM submissions WHERE learner = ? ORDER BY at, seq`
	exportDrafts      = `SELECT lesson, exercise, source, saved FROM drafts WHERE learner = ? ORDER BY lesson, exercise`
	exportRead        = `SELECT lesson, at FROM lessons_read WHERE learner = ? ORDER BY lesson`
	exportNotes       = `SELECT id, lesson, anchor, body, changed FROM notes WHERE learner = ? ORDER BY seq`
)

// An Export is everything that is kept about a learner, for the learner to take away: all but
// the hash of the password and the sessions.
type Export struct {
	ID          string             `json:"id"`
	Name        string             `json:"name,omitempty"` // absent for a guest
	Instructor  bool               `json:"instructor"`
	Since       time.Time          `json:"since"`
	Submissions []ExportSubmission `json:"submissions"`
	Drafts      []ExportDraft      `json:"drafts"`
	Read        []ExportRead       `json:"read"`
	Answers     []ExportAnswer     `json:"answers"`
	Notes       []ExportNote       `json:"notes"`
}

// An ExportSubmission is a Submission in an Export.
type ExportSubmission struct {
	ID       string          `json:"id"`
	Lesson   string          `json:"lesson"`
	Exercise string          `json:"exercise"`
	Code     string          `json:"code"`
	Recheck  bool            `json:"recheck,omitempty"`
	At       time.Time       `json:"at"`
	Attempts int             `json:"attempts,omitempty"`
	Verdict  string          `json:"verdict,omitempty"` // absent while it waits, as the rest
	Result   json.RawMessage `json:"result,omitempty"`
	JudgedAt *time.Time      `json:"judged_at,omitempty"`
}

// An ExportDraft is a Draft in an Export.
type ExportDraft struct {
	Lesson   string    `json:"lesson"`
	Exercise string    `json:"exercise"`
	Code     string    `json:"code"`
	Saved    time.Time `json:"saved"`
}

// An ExportRead is a lesson that was read to its end.
type ExportRead struct {
	Lesson string    `json:"lesson"`
	At     time.Time `json:"at"`
}

// An ExportAnswer is an Answer in an Export.
type ExportAnswer struct {
	Lesson   string    `json:"lesson"`
	Question string    `json:"question"`
	Given    string    `json:"given"`
	Right    bool      `json:"right"`
	At       time.Time `json:"at"`
}

// An ExportNote is a Note in an Export.
type ExportNote struct {
	ID      string    `json:"id"`
	Lesson  string    `json:"lesson"`
	Anchor  string    `json:"anchor"`
	Body    string    `json:"body"`
	Changed time.Time `json:"changed"`
}

// Export gathers everything that is kept about a learner, as it was at one moment: ErrNotFound
// when there is no such learner. All of it is in memory, with every program and every result.
func (s *Store) Export(ctx context.Context, id string) (e Export, err error) {
	err = s.look(ctx, "exporting a learner", func(ctx context.Context, h handle) error {
		learner, err := one(ctx, h, scanLearner, selectLearner, id)
		if err != nil {
			return err
		}
		e = Export{ID: learner.ID, Name: learner.Name, Instructor: learner.Instructor, Since: learner.Since}
		if e.Submissions, err = all(ctx, h, scanExportSubmission, exportSubmissions, id); err != nil {
			return err
		}
		if e.Drafts, err = all(ctx, h, scanExportDraft, exportDrafts, id); err != nil {
			return err
		}
		if e.Read, err = all(ctx, h, scanExportRead, exportRead, id); err != nil {
			return err
		}
		if e.Answers, err = all(ctx, h, scanExportAnswer, selectAnswers, id); err != nil {
			return err
		}
		e.Notes, err = all(ctx, h, scanExportNote, exportNotes, id)
		return err
	})
	if err != nil {
		return Export{}, err
	}
	return e, nil
}

func scanExportSubmission(row scanner) (ExportSubmission, error) {
	var e ExportSubmission
	var at int64
	var verdict, result sql.NullString
	var judged sql.NullInt64
	err := row.Scan(&e.ID, &e.Lesson, &e.Exercise, &e.Code, &e.Recheck, &at, &e.Attempts, &verdict, &result, &judged)
	e.At, e.Verdict = moment(at), verdict.String
	if result.Valid {
		e.Result = json.RawMessage(result.String)
	}
	if judged.Valid {
		when := moment(judged.Int64)
		e.JudgedAt = &when
	}
	return e, err
}

func scanExportDraft(row scanner) (ExportDraft, error) {
	var e ExportDraft
	var saved int64
	err := row.Scan(&e.Lesson, &e.Exercise, &e.Code, &saved)
	e.Saved = moment(saved)
	return e, err
}

func scanExportRead(row scanner) (ExportRead, error) {
	var e ExportRead
	var at int64
	err := row.Scan(&e.Lesson, &at)
	e.At = moment(at)
	return e, err
}

func scanExportAnswer(row scanner) (ExportAnswer, error) {
	answer, err := scanAnswer(row)
	return ExportAnswer(answer), err
}

func scanExportNote(row scanner) (ExportNote, error) {
	note, err := scanNote(row)
	return ExportNote(note), err
}
