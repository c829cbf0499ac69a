package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestVault(t *testing.T) {
	v := newVault()
	hash, err := v.hash(t.Context(), "", "a long password")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("the hash is %q, %v", hash, err)
	}
	if again, err := v.hash(t.Context(), "", "a long password"); again == hash || err != nil {
		t.Errorf("the same password has the same hash twice (%v)", err)
	}
	for _, c := range []struct {
		hash, password string
		want           bool
	}{{hash, "a long password", true}, {hash, "A long password", false}, {hash, "", false}, {"", "a long password", false}, {"", "", false}} {
		if got, err := v.matches(t.Context(), "", c.hash, c.password); got != c.want || err != nil {
			t.Errorf("%.10q, %q: %v, %v; want %v", c.hash, c.password, got, err, c.want)
		}
	}
	// One that another program made of the same parameters, with other costs.
	other := "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$" + "Zm9yZWlnbiBidXQgd2VsbCBmb3JtZWQga2V5ISE"
	if got, err := v.matches(t.Context(), "", other, "x"); got || err != nil {
		t.Errorf("a hash of other costs: %v, %v", got, err)
	}
}

func TestHashesThatAreNone(t *testing.T) {
	const salt, key = "c29tZXNhbHQ", "Zm9yZWlnbiBidXQgd2VsbCBmb3JtZWQga2V5ISE"
	for _, hash := range []string{
		"x", "$", "$argon2i$v=19$m=64,t=1,p=1$" + salt + "$" + key, "$argon2id$v=16$m=64,t=1,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=4194304,t=1,p=1$" + salt + "$" + key, "$argon2id$v=19$m=64,t=100,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=64,t=0,p=1$" + salt + "$" + key, "$argon2id$v=19$m=64,t=1,p=0$" + salt + "$" + key,
		"$argon2id$v=19$m=64,t=1$" + salt + "$" + key, "$argon2id$v=19$m=64,t=1,p=1$$" + key, "$argon2id$v=19$m=64,t=1,p=1$" + salt + "$",
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$short", "$argon2id$v=19$m=64,t=1,p=1$!!$" + key,
	} {
		if got, err := newVault().matches(t.Context(), "", hash, "x"); got || err == nil {
			t.Errorf("%q: %v, %v; want an error", hash, got, err)
		}
	}
}

// Somebody who does not exist takes as long as somebody who does: the decoy costs the same.
func TestTheDecoyCostsTheSame(t *testing.T) {
	v := newVault()
	real, err := v.hash(t.Context(), "", "a long password")
	if err != nil {
		t.Fatal(err)
	}
	a, err := parsePHC(real)
	if err != nil {
		t.Fatal(err)
	}
	b, err := parsePHC(v.decoy)
	if err != nil {
		t.Fatal(err)
	}
	if a.memory != b.memory || a.passes != b.passes || a.threads != b.threads || len(a.key) != len(b.key) || len(a.salt) != len(b.salt) {
		t.Errorf("a hash costs %+v, the decoy %+v", a, b)
	}
}

func TestTwoHashesAtOnce(t *testing.T) {
	v := newVault()
	var done []func()
	for range hashesAtOnce {
		leave, err := v.turn(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, leave)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	waiting.Go(func() {
		if _, err := v.hash(ctx, "y", "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("a third hash was made: %v", err)
		}
	})
	cancel()
	waiting.Wait()
	done[0]()
	if _, err := v.hash(t.Context(), "x", "x"); err != nil {
		t.Errorf("with a turn free: %v", err)
	}
}

// Whoever sends a thousand passwords waits for them; the next sender waits for two.
func TestSendersOfPasswordsHaveLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault()
		gone, cancel := context.WithCancel(t.Context())
		var flood sync.WaitGroup
		release := make(chan struct{})
		for range hashesAtOnce + hashLine {
			flood.Go(func() {
				if done, err := v.turn(gone, "flood"); err == nil {
					<-release
					done()
				}
			})
		}
		synctest.Wait()
		if _, err := v.turn(t.Context(), "flood"); err == nil || describe(err).status != 429 {
			t.Errorf("one more than has room in a line: %v", err)
		}
		var in atomic.Bool
		flood.Go(func() {
			done, err := v.turn(t.Context(), "class")
			if err != nil {
				t.Error(err)
				return
			}
			in.Store(true)
			done()
		})
		synctest.Wait()
		if in.Load() {
			t.Error("more are at work than may be")
		}
		release <- struct{}{}
		synctest.Wait()
		if !in.Load() {
			t.Error("when one of a flood is done, the next of the flood comes before another sender")
		}
		cancel()
		close(release)
		flood.Wait()
		if len(v.lines.gates) != 0 || len(v.turns) != 0 {
			t.Errorf("%d lines and %d turns are left over", len(v.lines.gates), len(v.turns))
		}
	})
}
