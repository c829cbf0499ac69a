package server

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ringoftowers/towers/lessons"
)

// judge says whether an answer to a question of a lesson is right. Given is what the page sends:
// of a quiz the places of all chosen answers from 0, as in "0 2", and of a prediction the number
// that was guessed. The error says that the lesson has no such question, or that this is no
// answer to it.
func judge(l *lessons.Lesson, question, given string) (right bool, err error) {
	switch q := find(l.Body, question).(type) {
	case lessons.Quiz:
		return judgeQuiz(q, given)
	case lessons.Predict:
		return judgePredict(q, given)
	}
	return false, fmt.Errorf("it asks nothing called %q", shortened(question))
}

// find gives the quiz or the prediction of that id, or nil.
func find(blocks []lessons.Block, question string) lessons.Block {
	for _, b := range blocks {
		switch b := b.(type) {
		case lessons.Quiz:
			if b.ID == question {
				return b
			}
		case lessons.Predict:
			if b.ID == question {
				return b
			}
		case lessons.Details:
			if found := find(b.Body, question); found != nil {
				return found
			}
		}
	}
	return nil
}

// judgeQuiz takes only an answer as right that chooses all that is right and nothing else.
func judgeQuiz(q lessons.Quiz, given string) (bool, error) {
	var chosen []int
	for place := range strings.FieldsSeq(given) {
		i, err := strconv.Atoi(place)
		if err != nil || i < 0 || i >= len(q.Choices) || slices.Contains(chosen, i) {
			return false, errors.New("an answer names the places of choices from 0, each once")
		}
		chosen = append(chosen, i)
	}
	if !q.Many && len(chosen) > 1 {
		return false, errors.New("only one choice can be made")
	}
	for i, c := range q.Choices {
		if c.Right != slices.Contains(chosen, i) {
			return false, nil
		}
	}
	return true, nil
}

func judgePredict(p lessons.Predict, given string) (bool, error) {
	guess, err := strconv.ParseFloat(given, 64)
	if err != nil || !(guess >= p.Min && guess <= p.Max) {
		return false, fmt.Errorf("a guess is a number from %g to %g", p.Min, p.Max)
	}
	return math.Abs(guess-p.Answer) <= p.Tolerance, nil
}
