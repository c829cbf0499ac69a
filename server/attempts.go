package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// attempts are how often something may be tried before there is a pause.
type attempts struct {
	pairs   *allowance // wrong passwords for one name from one address
	places  *allowance // wrong passwords from one address
	names   *allowance // wrong passwords for one name; beyond it each try is slow
	signUps *allowance // new accounts from one address
	guests  *allowance // new guests from one address

	slow time.Duration // what a try waits for a name that very many try
}

// newAttempts leaves room for a class that starts together behind one address, and none for
// whoever guesses passwords.
func newAttempts() attempts {
	return attempts{
		pairs:   newAllowance(10, 15*time.Minute),
		places:  newAllowance(60, 15*time.Minute),
		names:   newAllowance(50, 15*time.Minute),
		signUps: newAllowance(100, time.Hour),
		guests:  newAllowance(1000, time.Hour),
		slow:    3 * time.Second,
	}
}

// admit lets a password be tried for a name from an address, or gives the time to wait before
// it may be. Wrong passwords from elsewhere lock nobody out: else anybody could do that to
// anybody. They only make each try slow, and whoever has the right password waits that once.
// The error is that of ctx, which ended meanwhile.
func (a *attempts) admit(ctx context.Context, name, place string) (wait time.Duration, err error) {
	pair := pairOf(name, place)
	if wait, ok := a.pairs.take(pair); !ok {
		return wait, nil
	}
	if wait, ok := a.places.take(place); !ok {
		a.pairs.giveBack(pair)
		return wait, nil
	}
	if _, ok := a.names.take(name); ok {
		return 0, nil
	}
	slowly := time.NewTimer(a.slow)
	defer slowly.Stop()
	select {
	case <-slowly.C:
		return 0, nil
	case <-ctx.Done():
		return 0, fmt.Errorf("wait to try a password: %w", ctx.Err())
	}
}

// succeed forgets the tries of whoever has found the right password.
func (a *attempts) succeed(name, place string) {
	a.pairs.forgive(pairOf(name, place))
	a.places.giveBack(place)
	a.names.forgive(name)
}

// pairOf is the key of an address, in which there is no blank, and a name.
func pairOf(name, place string) string { return place + " " + name }

// An allowance is how often each key may do something within a time. It counts from a key's
// first try on and forgets it when the time is over.
type allowance struct {
	most int
	per  time.Duration
	now  func() time.Time

	mu   sync.Mutex
	used map[string]spending
}

type spending struct {
	times int
	until time.Time
}

// mostKeys bounds the memory of an allowance: about 2 MB. Where more keys than that come within
// the time of one, those that have used least are forgotten, so a flood of addresses frees
// nobody who is being held back.
const mostKeys = 20_000

func newAllowance(most int, per time.Duration) *allowance {
	return &allowance{most: most, per: per, now: time.Now, used: make(map[string]spending)}
}

// take uses one try up. It reports false where there is none, with the time to wait for more.
// The empty key may do anything.
func (a *allowance) take(key string) (wait time.Duration, ok bool) {
	if key == "" {
		return 0, true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s, now := a.used[key], a.now()
	if !now.Before(s.until) {
		s = spending{until: now.Add(a.per)}
	}
	if s.times >= a.most {
		return s.until.Sub(now), false
	}
	s.times++
	if _, known := a.used[key]; !known && len(a.used) >= mostKeys {
		a.forget(now)
	}
	a.used[key] = s
	return 0, true
}

// giveBack returns one try that turned out not to count.
func (a *allowance) giveBack(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.used[key]; ok && s.times > 0 {
		s.times--
		a.used[key] = s
	}
}

// forgive gives a key all its tries back.
func (a *allowance) forgive(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.used, key)
}

// forget makes room: whoever's time is over goes, and else those who used less than half.
func (a *allowance) forget(now time.Time) {
	for key, s := range a.used {
		if !now.Before(s.until) || s.times*2 < a.most {
			delete(a.used, key)
		}
	}
	for key := range a.used { // all of them hold a key that is nearly used up
		if len(a.used) < mostKeys {
			return
		}
		delete(a.used, key)
	}
}

// addressOf is the key of a request's sender: the address, and of IPv6 the network, of which a
// sender usually has all addresses. A sender on this machine is a proxy, which sends for
// everybody, or the owner; both have the empty key.
func addressOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	address = address.Unmap().WithZone("")
	if address.IsLoopback() {
		return ""
	}
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}

// tooOften says how long to wait.
func tooOften(wait time.Duration) error {
	return &refusal{status: http.StatusTooManyRequests, code: "too_many_attempts", after: wait,
		title:   "That was tried very often",
		message: "For safety there is a pause now. Try again in " + inMinutes(wait) + "."}
}
