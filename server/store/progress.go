package store

import (
	"context"
	"time"
)

const (
	insertRead    = `INSERT INTO lessons_read (learner, lesson, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
	upsertAnswer  = `INSERT INTO answers (learner, lesson, question, given, correct, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET given = excluded.given, correct = excluded.correct, at = excluded.at`
	selectRead    = `SELECT lesson FROM lessons_read WHERE learner = ? ORDER BY lesson`
	selectPassed  = `SELECT DISTINCT lesson, exercise FROM submissions WHERE learner = ? AND verdict = 'passed' ORDER BY lesson, exercise`
	selectAnswers = `SELECT lesson, question, given, correct, at FROM answers WHERE learner = ? ORDER BY lesson, question`
)

// MarkRead keeps that a learner has read a lesson to its end; only the first time counts.
func (s *Store) MarkRead(ctx context.Context, learner, lesson string, at time.Time) error {
	return s.change(ctx, "marking a lesson as read", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, insertRead, learner, lesson, micros(at))
		return err
	})
}

// SaveAnswer keeps a learner's answer to a question, in place of an earlier one.
func (s *Store) SaveAnswer(ctx context.Context, learner string, a Answer) error {
	return s.change(ctx, "saving an answer", func(ctx context.Context, h handle) error {
		_, err := h.exec(ctx, upsertAnswer, learner, a.Lesson, a.Question, a.Given, a.Right, micros(a.At))
		return err
	})
}

// Progress gives how far a learner has come, in the order of the names. An exercise is passed
// once any submission for it was; a learner who is not there has no progress.
func (s *Store) Progress(ctx context.Context, learner string) (p Progress, err error) {
	err = s.look(ctx, "looking up progress", func(ctx context.Context, h handle) error {
		if p.Read, err = all(ctx, h, value[string], selectRead, learner); err != nil {
			return err
		}
		if p.Passed, err = all(ctx, h, scanExerciseName, selectPassed, learner); err != nil {
			return err
		}
		p.Answers, err = all(ctx, h, scanAnswer, selectAnswers, learner)
		return err
	})
	if err != nil {
		return Progress{}, err
	}
	return p, nil
}

func scanExerciseName(row scanner) (name ExerciseName, err error) {
	err = row.Scan(&name.Lesson, &name.Exercise)
	return name, err
}

func scanAnswer(row scanner) (Answer, error) {
	var a Answer
	var at int64
	err := row.Scan(&a.Lesson, &a.Question, &a.Given, &a.Right, &at)
	a.At = moment(at)
	return a, err
}
