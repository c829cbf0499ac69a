package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// Very many wrong passwords for a name, from wherever, make each further try slow and refuse
// none. Nothing is slow any more once the right one was found.
func TestANameThatManyTryIsSlow(t *testing.T) {
	a := newAttempts()
	a.slow = time.Hour
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	slow := func(name, place string) bool {
		t.Helper()
		wait, err := a.admit(gone, name, place)
		if wait != 0 || err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("%s from %s: wait %v, %v", name, place, wait, err)
		}
		return err != nil
	}
	for i := range a.names.most {
		if slow("ada", fmt.Sprint("place ", i)) {
			t.Fatalf("try %d is slow", i+1)
		}
	}
	if !slow("ada", "home") {
		t.Error("after many wrong passwords a try is as quick as ever")
	}
	if slow("grace", "home") {
		t.Error("another name is slow too")
	}
	a.slow = 0
	if wait, err := a.admit(t.Context(), "ada", "home"); wait != 0 || err != nil {
		t.Errorf("after the pause: wait %v, %v", wait, err)
	}
	a.succeed("ada", "home")
	a.slow = time.Hour
	if slow("ada", "elsewhere") {
		t.Error("after the right password a try is slow")
	}
}

func TestAllowance(t *testing.T) {
	now := time.Unix(1000, 0)
	a := newAllowance(2, time.Minute)
	a.now = func() time.Time { return now }
	for i, step := range []struct {
		key  string
		wait time.Duration // 0 = allowed
		pass time.Duration // afterwards
	}{
		{"x", 0, 10 * time.Second}, {"x", 0, 10 * time.Second}, {"x", 40 * time.Second, 0}, {"y", 0, 0}, {"", 0, 0}, {"", 0, 0}, {"", 0, 39 * time.Second},
		{"x", time.Second, time.Second}, {"x", 0, 0}, {"x", 0, 0}, {"x", time.Minute, 0},
	} {
		wait, ok := a.take(step.key)
		if wait != step.wait || ok != (step.wait == 0) {
			t.Errorf("step %d: %v, wait %v; want wait %v", i, ok, wait, step.wait)
		}
		now = now.Add(step.pass)
	}
	a.giveBack("x")
	if _, ok := a.take("x"); !ok {
		t.Error("a try that was given back is not there")
	}
	a.forgive("x")
	if _, ok := a.take("x"); !ok {
		t.Error("who is forgiven has no try")
	}
}

// However many keys come, the memory has a bound, and who is held back stays so.
func TestAllowancesForget(t *testing.T) {
	a := newAllowance(4, time.Hour)
	for range 4 {
		a.take("guesser")
	}
	for i := range 3 * mostKeys {
		a.take(string(rune('a'+i%26)) + strings.Repeat("x", i%7) + time.Duration(i).String())
		if len(a.used) > mostKeys {
			t.Fatalf("%d keys are kept", len(a.used))
		}
	}
	if _, ok := a.take("guesser"); ok {
		t.Error("a flood of others frees who is held back")
	}
}
