package store

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A fault in the middle of a change takes it back, and the next change finds the writer free.
func TestAChangeThatPanicsHoldsNobodyUp(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is swallowed")
			}
		}()
		_ = s.change(ctx, "spilling", func(ctx context.Context, h handle) error {
			if _, err := h.exec(ctx, insertLearner, "half", 0); err != nil {
				return err
			}
			panic("the ink is spilt")
		})
	}()
	if _, err := s.CreateGuest(ctx); err != nil {
		t.Errorf("the next change: %v", err)
	}
	if _, err := s.Learner(ctx, "half"); !errors.Is(err, ErrNotFound) {
		t.Errorf("what was half done: %v", err)
	}
}
