package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// tries carries out a try and gives how long it took until the password could be looked at, or
// how long it was told to wait instead.
func (a *attempts) tries(t *testing.T, one try, right bool) (took, wait time.Duration) {
	t.Helper()
	began := time.Now()
	succeed, wait, err := a.admit(t.Context(), one)
	if err != nil {
		t.Errorf("%+v: %v", one, err)
	}
	if succeed != nil && right {
		succeed()
	}
	return time.Since(began), wait
}

// Very many wrong passwords for a name, from wherever, make each further try of a stranger slow
// and refuse none. Nothing is slow any more once the right one was found.
func TestANameThatManyTryIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAttempts()
		for i := range a.names.most {
			if took, wait := a.tries(t, try{name: "ada", place: fmt.Sprint("place ", i)}, false); took+wait > 0 {
				t.Fatalf("try %d takes %v, wait %v", i+1, took, wait)
			}
		}
		for _, step := range []struct {
			who   try
			right bool
			took  time.Duration
		}{
			{try{name: "ada", place: "home"}, false, slowTry},
			{try{name: "grace", place: "home"}, false, 0},
			{try{name: "ada", place: "elsewhere", friend: "her own"}, true, 0},
			{try{name: "ada", place: "elsewhere"}, true, slowTry},
			{try{name: "ada", place: "anywhere"}, false, 0},
		} {
			if took, wait := a.tries(t, step.who, step.right); took != step.took || wait != 0 {
				t.Errorf("%+v takes %v, wait %v; want %v", step.who, took, wait, step.took)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		for range a.names.most {
			a.names.take("grace")
		}
		cancel()
		if _, _, err := a.admit(gone, try{name: "grace", place: "home"}); !errors.Is(err, context.Canceled) {
			t.Errorf("who has gone: %v", err)
		}
	})
}

// A class of two hundred behind one address, of whom each mistypes a password twice: nobody is
// refused, and the last is in within half a minute.
func TestAClassSignsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAttempts()
		began := time.Now()
		var class sync.WaitGroup
		for i := range 200 {
			class.Go(func() {
				learner := try{name: fmt.Sprint("learner ", i), place: "the school"}
				for n := range 3 {
					if _, wait := a.tries(t, learner, n == 2); wait > 0 {
						t.Errorf("try %d of %s has to wait %v", n+1, learner.name, wait)
					}
				}
			})
		}
		class.Wait()
		if took := time.Since(began); took > 90*time.Second {
			t.Errorf("three tries of each take %v", took)
		}
		// The next day everybody comes with a browser of theirs, whatever goes on around them.
		for range a.places.most {
			a.places.take("the school")
		}
		for i := range 200 {
			if took, wait := a.tries(t, try{name: fmt.Sprint("learner ", i), place: "the school", friend: fmt.Sprint(i)}, true); took+wait > 0 {
				t.Fatalf("learner %d in their own browser: takes %v, wait %v", i, took, wait)
			}
		}
	})
}

// Whoever tries one password on all names there are, a thousand at a time, is held to the pace of
// the line; nobody has ten passwords for one name looked at in a quarter of an hour.
func TestAFloodOfGuessesIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAttempts()
		began := time.Now()
		var looked atomic.Int64
		var flood sync.WaitGroup
		for i := range 1000 {
			flood.Go(func() {
				for n := 0; time.Since(began) < 5*time.Minute; n++ {
					_, _, err := a.admit(t.Context(), try{name: fmt.Sprint(i, " ", n), place: "one address"})
					if err == nil {
						looked.Add(1)
						continue
					}
					if describe(err).status != 429 {
						t.Error(err)
					}
					<-time.After(describe(err).after) // by the bubble's clock, which jumps
				}
			})
		}
		flood.Wait()
		// The last come in at the end of the five minutes, and wait in the line.
		most := int64(a.places.most) + slowAtOnce*int64((5*time.Minute+slowPatience)/slowTry+1)
		if n := looked.Load(); n > most || n < most/2 {
			t.Errorf("%d passwords were looked at, want at most %d and not much less", n, most)
		}
		if len(a.queue.gates) != 0 {
			t.Errorf("%d lines are left over", len(a.queue.gates))
		}
	})
}

// A browser that is familiar with an account is held to it as strictly as a stranger, and
// neither uses up what the other has.
func TestFriendsAndStrangersAreCountedApart(t *testing.T) {
	a := newAttempts()
	friend, stranger := try{name: "ada", place: "school", friend: "hers"}, try{name: "ada", place: "school"}
	for range 10 {
		if _, wait := a.tries(t, stranger, false); wait > 0 {
			t.Fatal("a stranger has fewer than ten tries")
		}
	}
	if _, wait := a.tries(t, stranger, false); wait == 0 {
		t.Error("a stranger has more than ten tries")
	}
	for range 10 {
		if _, wait := a.tries(t, friend, false); wait > 0 {
			t.Fatal("in her own browser Ada has fewer than ten tries")
		}
	}
	if _, wait := a.tries(t, friend, true); wait == 0 {
		t.Error("whoever has her browser has more than ten tries")
	}
	if _, wait := a.tries(t, try{name: "ada", place: "school", friend: "her other"}, true); wait > 0 {
		t.Error("her other browser has to wait")
	}
	if _, wait := a.tries(t, stranger, false); wait == 0 {
		t.Error("when Ada has signed in a stranger may go on guessing")
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
