package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

const (
	countWaiting     = `SELECT count(*) FROM submissions WHERE learner = ? AND verdict IS NULL AND recheck = 0`
	insertSubmission = `INSERT INTO submissions (id, learner, lesson, exercise, source, recheck, at) VALUES (?, ?, ?, ?, ?, ?, ?)`
	selectSubmission = `SELECT id, learner, lesson, exercise, source, recheck, at, attempts, verdict, result, judged_at FROM submissions WHERE id = ?`
	recordVerdict    = `UPDATE submissions SET verdict = ?, result = ?, judged_at = ?, passed = ?, tests = ? WHERE id = ? AND verdict IS NULL`
	hasSubmission    = `SELECT count(*) FROM submissions WHERE id = ?`
	countAttempt     = `UPDATE submissions SET attempts = attempts + 1 WHERE id = ? RETURNING attempts`
	selectUnjudged   = `SELECT id, learner, lesson, exercise, '', recheck, at, attempts, NULL, NULL, NULL FROM submissions WHERE verdict IS NULL ORDER BY at, seq`
	selectTries      = `SELECT id, at, coalesce(verdict, ''), coalesce(passed, 0), coalesce(tests, 0), recheck FROM submissions
WHERE learner = ?1 AND lesson = ?2 AND exercise = ?3
	AND (recheck = 0 OR seq = (SELECT max(seq) FROM submissions WHERE learner = ?1 AND lesson = ?2 AND exercise = ?3 AND recheck = 1))
ORDER BY at DESC, seq DESC LIMIT ?4`
	countTries = `SELECT count(*) FROM (
	SELECT 1 FROM submissions WHERE learner = ? AND lesson = ? AND exercise = ? AND recheck = 0 LIMIT ?)`
	selectLastTries = `SELECT id, learner, lesson, exercise, source, recheck, at, attempts, verdict, NULL, judged_at FROM submissions
WHERE seq IN (
	SELECT seq FROM (
		SELECT seq, row_number() OVER (PARTITION BY learner ORDER BY at DESC, seq DESC) AS place
		FROM submissions WHERE lesson = ? AND exercise = ? AND verdict IS NOT NULL)
	WHERE place = 1)
ORDER BY at, seq`
)

// AddSubmission keeps a submission that has no verdict yet: its Attempts, Verdict, Result and
// JudgedAt are not looked at. Its ID is the caller's to make, with NewID for example.
//
// ErrShare says that the learner has share submissions waiting already; a share of 0 allows
// any number. Those that an instructor asked to check again neither count nor are refused.
// ErrNotFound says that there is no such learner.
func (s *Store) AddSubmission(ctx context.Context, sub Submission, share int) error {
	return s.change(ctx, "keeping a submission", func(ctx context.Context, h handle) error {
		if share > 0 && !sub.Recheck {
			waiting, err := one(ctx, h, value[int], countWaiting, sub.Learner)
			if err != nil {
				return err
			}
			if waiting >= share {
				return ErrShare
			}
		}
		_, err := h.exec(ctx, insertSubmission, sub.ID, sub.Learner, sub.Lesson, sub.Exercise, sub.Source, sub.Recheck, micros(sub.At))
		return err
	})
}

// Submission finds a submission by ID: ErrNotFound when there is none.
func (s *Store) Submission(ctx context.Context, id string) (Submission, error) {
	sub, err := one(ctx, s.glance(), scanSubmission, selectSubmission, id)
	if err != nil {
		return Submission{}, fmt.Errorf("submission %q: %w", id, err)
	}
	return sub, nil
}

// Record keeps a submission's verdict. The first one to come stays: first is false, and
// nothing has changed, when there was a verdict already. ErrNotFound says that the submission
// is gone, because its learner is.
//
// Result is the whole verdict as JSON. How many tests there were, and how many passed, is
// read from its "tests" here, so that a list of tries need not read every result.
func (s *Store) Record(ctx context.Context, id, verdict string, result []byte, at time.Time) (first bool, err error) {
	passed, tests, err := countTests(result)
	if err == nil && verdict == "" {
		err = errors.New("it has no word")
	}
	if err != nil {
		return false, fmt.Errorf("recording the verdict of %q: %w", id, err)
	}
	err = s.change(ctx, "recording a verdict", func(ctx context.Context, h handle) error {
		rows, err := h.exec(ctx, recordVerdict, verdict, string(result), micros(at), passed, tests, id)
		if err != nil || rows == 1 {
			first = rows == 1
			return err
		}
		there, err := one(ctx, h, value[bool], hasSubmission, id)
		if err == nil && !there {
			err = fmt.Errorf("submission %q: %w", id, ErrNotFound)
		}
		return err
	})
	return first && err == nil, err
}

// countTests counts the top-level tests of a verdict, and those of them that passed.
func countTests(result []byte) (passed, tests int, err error) {
	var verdict struct {
		Tests []struct {
			Status string `json:"status"`
		} `json:"tests"`
	}
	if err := json.Unmarshal(result, &verdict); err != nil {
		return 0, 0, fmt.Errorf("reading the tests of a verdict: %w", err)
	}
	for _, test := range verdict.Tests {
		if test.Status == "passed" {
			passed++
		}
	}
	return passed, len(verdict.Tests), nil
}

// CountAttempt counts one more check of a submission that failed for a reason of ours, and
// gives how many there are now.
func (s *Store) CountAttempt(ctx context.Context, id string) (attempts int, err error) {
	err = s.change(ctx, "counting an attempt", func(ctx context.Context, h handle) error {
		attempts, err = one(ctx, h, value[int], countAttempt, id)
		return err
	})
	return attempts, err
}

// Unjudged gives all submissions without a verdict, the oldest first. They come without their
// Source: Submission has it when its turn has come.
func (s *Store) Unjudged(ctx context.Context) ([]Submission, error) {
	subs, err := all(ctx, s.glance(), scanSubmission, selectUnjudged)
	if err != nil {
		return nil, fmt.Errorf("what waits for its verdict: %w", err)
	}
	return subs, nil
}

// Tries gives what a learner sent in for an exercise, the newest first and no more than limit; a
// limit below 1 gives all. Of what instructors asked to check again only the last is among them.
func (s *Store) Tries(ctx context.Context, learner, lesson, exercise string, limit int) ([]Try, error) {
	if limit < 1 {
		limit = -1
	}
	tries, err := all(ctx, s.glance(), scanTry, selectTries, learner, lesson, exercise, limit)
	if err != nil {
		return nil, fmt.Errorf("the tries at %s/%s: %w", lesson, exercise, err)
	}
	return tries, nil
}

// CountTries gives how often a learner sent something in for an exercise, and goes no further
// than most. What instructors asked to check again does not count.
func (s *Store) CountTries(ctx context.Context, learner, lesson, exercise string, most int) (int, error) {
	n, err := one(ctx, s.glance(), value[int], countTries, learner, lesson, exercise, most)
	if err != nil {
		return 0, fmt.Errorf("count the tries at %s/%s: %w", lesson, exercise, err)
	}
	return n, nil
}

// LastTries gives each learner's newest judged submission for an exercise, for checking them
// again, the oldest first. They come with their Source and without their Result.
func (s *Store) LastTries(ctx context.Context, lesson, exercise string) ([]Submission, error) {
	subs, err := all(ctx, s.glance(), scanSubmission, selectLastTries, lesson, exercise)
	if err != nil {
		return nil, fmt.Errorf("the last tries at %s/%s: %w", lesson, exercise, err)
	}
	return subs, nil
}

func scanSubmission(row scanner) (Submission, error) {
	var s Submission
	var at int64
	var verdict, result sql.NullString
	var judged sql.NullInt64
	err := row.Scan(&s.ID, &s.Learner, &s.Lesson, &s.Exercise, &s.Source, &s.Recheck, &at, &s.Attempts, &verdict, &result, &judged)
	s.At, s.Verdict = moment(at), verdict.String
	if result.Valid {
		s.Result = []byte(result.String)
	}
	if judged.Valid {
		s.JudgedAt = moment(judged.Int64)
	}
	return s, err
}

func scanTry(row scanner) (Try, error) {
	var t Try
	var at int64
	err := row.Scan(&t.ID, &at, &t.Verdict, &t.Passed, &t.Tests, &t.Recheck)
	t.At = moment(at)
	return t, err
}
