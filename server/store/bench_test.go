package store

import (
	"strings"
	"testing"
)

// Each of these is a commit that has reached the disk: they measure the disk's sync more than
// anything else.

func BenchmarkAddSubmission(b *testing.B) {
	s := open(b)
	learner := guest(b, s).ID
	source := strings.Repeat("// a line of a program\n", 100)
	for i := 0; b.Loop(); i++ {
		sub := submission(learner, i)
		sub.Source = source
		must(b, s.AddSubmission(b.Context(), sub, 0))
	}
}

func BenchmarkRecord(b *testing.B) {
	s := open(b)
	learner := guest(b, s).ID
	result := []byte(`{"message":"` + strings.Repeat("x", 4096) + `","tests":[{"status":"passed"},{"status":"failed"}]}`)
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		sub := add(b, s, submission(learner, i))
		b.StartTimer()
		get(s.Record(b.Context(), sub.ID, "failed", result, after(i)))(b)
	}
}

func BenchmarkSaveDraft(b *testing.B) {
	s := open(b)
	learner := guest(b, s).ID
	source := strings.Repeat("// a line of a program\n", 100)
	for i := 0; b.Loop(); i++ {
		must(b, s.SaveDraft(b.Context(), learner, "l", "e", source, after(i)))
	}
}

func BenchmarkDraft(b *testing.B) {
	s := open(b)
	learner := guest(b, s).ID
	must(b, s.SaveDraft(b.Context(), learner, "l", "e", strings.Repeat("// a line of a program\n", 100), noon()))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			get(s.Draft(b.Context(), learner, "l", "e"))(b)
		}
	})
}

// A page for a learner who has sent in much must not become slow by what others sent in.
func BenchmarkProgress(b *testing.B) {
	s := open(b)
	learner := guest(b, s).ID
	for i := range 200 {
		sub := add(b, s, submission(learner, i))
		get(s.Record(b.Context(), sub.ID, "passed", []byte(`{}`), after(i)))(b)
		must(b, s.MarkRead(b.Context(), learner, sub.ID, noon()))
	}
	for b.Loop() {
		get(s.Progress(b.Context(), learner))(b)
	}
}
