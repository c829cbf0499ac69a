package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
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
