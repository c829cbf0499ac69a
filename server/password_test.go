package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestVault(t *testing.T) {
	v := newVault()
	hash, err := v.hash(t.Context(), "a long password")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatalf("the hash is %q, %v", hash, err)
	}
	if again, err := v.hash(t.Context(), "a long password"); again == hash || err != nil {
		t.Errorf("the same password has the same hash twice (%v)", err)
	}
	for _, c := range []struct {
		hash, password string
		want           bool
	}{{hash, "a long password", true}, {hash, "A long password", false}, {hash, "", false}, {"", "a long password", false}, {"", "", false}} {
		if got, err := v.matches(t.Context(), c.hash, c.password); got != c.want || err != nil {
			t.Errorf("%.10q, %q: %v, %v; want %v", c.hash, c.password, got, err, c.want)
		}
	}
	// One that another program made of the same parameters, with other costs.
	other := "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$" + "Zm9yZWlnbiBidXQgd2VsbCBmb3JtZWQga2V5ISE"
	if got, err := v.matches(t.Context(), other, "x"); got || err != nil {
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
		if got, err := newVault().matches(t.Context(), hash, "x"); got || err == nil {
			t.Errorf("%q: %v, %v; want an error", hash, got, err)
		}
	}
}

// Somebody who does not exist takes as long as somebody who does: the decoy costs the same.
func TestTheDecoyCostsTheSame(t *testing.T) {
	v := newVault()
	real, err := v.hash(t.Context(), "a long password")
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
	v.turns <- struct{}{}
	v.turns <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	waiting.Go(func() {
		if _, err := v.hash(ctx, "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("a third hash was made: %v", err)
		}
	})
	cancel()
	waiting.Wait()
	v.done()
	if _, err := v.hash(t.Context(), "x"); err != nil {
		t.Errorf("with a turn free: %v", err)
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
