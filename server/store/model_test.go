package store

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A memory is what a Store must remember of one learner, as plain maps.
type memory struct {
	drafts  map[ExerciseName]Draft
	read    map[string]bool
	answers map[[2]string]Answer
	notes   map[string][]Note // by lesson, in the order of writing
	tries   []Submission      // in the order of sending
}

// A run is a random life of a few learners, told to a Store and to memories alike.
type run struct {
	s        *Store
	clock    time.Time
	learners []string
	memories map[string]*memory
}

// Whatever learners do in whatever order, the store and a few maps agree about it.
func TestStoreAgreesWithMaps(t *testing.T) {
	s := open(t)
	rapid.Check(t, func(t *rapid.T) {
		r := &run{s: s, clock: noon(), memories: map[string]*memory{}}
		defer r.forget(t)
		for range 2 {
			id := guest(t, s).ID
			r.learners = append(r.learners, id)
			r.memories[id] = &memory{
				drafts: map[ExerciseName]Draft{}, read: map[string]bool{},
				answers: map[[2]string]Answer{}, notes: map[string][]Note{},
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"SaveDraft":  r.saveDraft,
			"MarkRead":   r.markRead,
			"SaveAnswer": r.saveAnswer,
			"AddNote":    r.addNote,
			"ChangeNote": r.changeNote,
			"Submit":     r.submit,
			"Record":     r.record,
			"Compare":    r.compare,
		})
		r.compare(t)
	})
}

// forget leaves the store empty for the next run.
func (r *run) forget(t *rapid.T) {
	for _, id := range r.learners {
		must(t, r.s.DeleteLearner(t.Context(), id))
	}
}

func (r *run) somebody(t *rapid.T) (string, *memory) {
	id := rapid.SampledFrom(r.learners).Draw(t, "learner")
	r.clock = r.clock.Add(time.Microsecond)
	return id, r.memories[id]
}

func lesson(t *rapid.T) string { return rapid.SampledFrom([]string{"ring", "load"}).Draw(t, "lesson") }

func exercise(t *rapid.T) ExerciseName {
	return ExerciseName{lesson(t), rapid.SampledFrom([]string{"owner", "spread"}).Draw(t, "exercise")}
}

func (r *run) saveDraft(t *rapid.T) {
	id, m := r.somebody(t)
	name, source := exercise(t), rapid.String().Draw(t, "source")
	must(t, r.s.SaveDraft(t.Context(), id, name.Lesson, name.Exercise, source, r.clock))
	m.drafts[name] = Draft{source, r.clock}
}

func (r *run) markRead(t *rapid.T) {
	id, m := r.somebody(t)
	name := lesson(t)
	must(t, r.s.MarkRead(t.Context(), id, name, r.clock))
	m.read[name] = true
}

func (r *run) saveAnswer(t *rapid.T) {
	id, m := r.somebody(t)
	a := Answer{lesson(t), rapid.SampledFrom([]string{"q1", "q2"}).Draw(t, "question"), rapid.String().Draw(t, "given"), rapid.Bool().Draw(t, "right"), r.clock}
	must(t, r.s.SaveAnswer(t.Context(), id, a))
	m.answers[[2]string{a.Lesson, a.Question}] = a
}

func (r *run) addNote(t *rapid.T) {
	id, m := r.somebody(t)
	n := Note{Lesson: lesson(t), Anchor: rapid.String().Draw(t, "anchor"), Body: rapid.String().Draw(t, "body"), Changed: r.clock}
	n.ID = get(r.s.AddNote(t.Context(), id, n))(t).ID
	m.notes[n.Lesson] = append(m.notes[n.Lesson], n)
}

// changeNote edits or deletes a note of a learner, in the name of either.
func (r *run) changeNote(t *rapid.T) {
	owner, m := r.somebody(t)
	about := lesson(t)
	notes := m.notes[about]
	if len(notes) == 0 {
		return
	}
	i := rapid.IntRange(0, len(notes)-1).Draw(t, "note")
	id, _ := r.somebody(t)
	body, edit := rapid.String().Draw(t, "body"), rapid.Bool().Draw(t, "edit")
	var err error
	if edit {
		err = r.s.EditNote(t.Context(), id, notes[i].ID, body, r.clock)
	} else {
		err = r.s.DeleteNote(t.Context(), id, notes[i].ID)
	}
	switch {
	case id != owner:
		wantError(t, err, ErrNotFound)
	case edit:
		must(t, err)
		notes[i].Body, notes[i].Changed = body, r.clock
	default:
		must(t, err)
		m.notes[about] = slices.Delete(notes, i, i+1)
	}
}

func (r *run) submit(t *rapid.T) {
	id, m := r.somebody(t)
	name, share := exercise(t), rapid.IntRange(0, 3).Draw(t, "share")
	sub := Submission{ID: NewID(), Learner: id, Lesson: name.Lesson, Exercise: name.Exercise, Source: rapid.String().Draw(t, "source"), At: r.clock}
	waiting := 0
	for _, try := range m.tries {
		if !try.Judged() {
			waiting++
		}
	}
	err := r.s.AddSubmission(t.Context(), sub, share)
	if share > 0 && waiting >= share {
		wantError(t, err, ErrShare)
		return
	}
	must(t, err)
	m.tries = append(m.tries, sub)
}

func (r *run) record(t *rapid.T) {
	_, m := r.somebody(t)
	if len(m.tries) == 0 {
		return
	}
	try := &m.tries[rapid.IntRange(0, len(m.tries)-1).Draw(t, "try")]
	verdict := rapid.SampledFrom([]string{"passed", "failed"}).Draw(t, "verdict")
	result := []byte(`{"verdict":"` + verdict + `","tests":[{"status":"` + verdict + `"}]}`)
	first := get(r.s.Record(t.Context(), try.ID, verdict, result, r.clock))(t)
	if first == try.Judged() {
		t.Errorf("first is %v and the submission has %q", first, try.Verdict)
	}
	if first {
		try.Verdict, try.Result, try.JudgedAt = verdict, result, r.clock
	}
}

func (r *run) compare(t *rapid.T) {
	var unjudged []Submission
	for _, id := range r.learners {
		m := r.memories[id]
		r.compareDrafts(t, id, m)
		for _, name := range []string{"ring", "load"} {
			wantSame(t, "notes", get(r.s.Notes(t.Context(), id, name))(t), m.notes[name])
		}
		wantSame(t, "progress", get(r.s.Progress(t.Context(), id))(t), m.progress())
		for _, try := range m.tries {
			wantSame(t, "submission", get(r.s.Submission(t.Context(), try.ID))(t), try)
			if !try.Judged() {
				try.Source = ""
				unjudged = append(unjudged, try)
			}
		}
	}
	slices.SortFunc(unjudged, func(a, b Submission) int { return a.At.Compare(b.At) })
	wantSame(t, "unjudged", get(r.s.Unjudged(t.Context()))(t), unjudged)
}

func (r *run) compareDrafts(t *rapid.T, id string, m *memory) {
	for _, name := range []ExerciseName{{"ring", "owner"}, {"ring", "spread"}, {"load", "owner"}, {"load", "spread"}} {
		draft, err := r.s.Draft(t.Context(), id, name.Lesson, name.Exercise)
		want, has := m.drafts[name]
		if has != (err == nil) || !has && !errors.Is(err, ErrNotFound) {
			t.Errorf("the draft of %v gives %v, and there is one: %v", name, err, has)
		}
		wantSame(t, "draft", draft, want)
	}
}

func (m *memory) progress() Progress {
	p := Progress{Read: slices.Sorted(maps.Keys(m.read))}
	for _, key := range slices.SortedFunc(maps.Keys(m.answers), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		p.Answers = append(p.Answers, m.answers[key])
	}
	for _, try := range m.tries {
		if name := (ExerciseName{try.Lesson, try.Exercise}); try.Verdict == "passed" && !slices.Contains(p.Passed, name) {
			p.Passed = append(p.Passed, name)
		}
	}
	slices.SortFunc(p.Passed, func(a, b ExerciseName) int {
		return cmp.Or(cmp.Compare(a.Lesson, b.Lesson), cmp.Compare(a.Exercise, b.Exercise))
	})
	return p
}
