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
//
// Whoever guesses is mostly behind an address that others share: a school has one. So only what
// concerns one account is ever refused, and only to those who are strangers to it. What may be
// many people's is slowed down.
type attempts struct {
	friends *allowance // wrong passwords from one browser that signed in to the account before
	pairs   *allowance // wrong passwords for one name from one address
	places  *allowance // wrong passwords from one address; beyond it each try is slow
	names   *allowance // wrong passwords for one name; beyond it each try is slow
	joins   *allowance // invitations that were none, of one learner
	signUps *allowance // new accounts from one address
	guests  *allowance // new guests from one address

	slow  time.Duration // what a slow try waits
	queue *crowd        // of those who wait, for each address and for each name
}

// Of slow tries twenty of a kind wait at the same time: at three seconds each, a class of two
// hundred that comes after many wrong passwords is in within half a minute, and whoever tries
// one password on all the names that there are gets no further than seven in a second.
const (
	slowTry      = 3 * time.Second
	slowAtOnce   = 20
	slowLine     = 200
	slowPatience = 35 * time.Second
)

// newAttempts leaves room for a class that starts together behind one address, and none for
// whoever guesses passwords.
func newAttempts() attempts {
	return attempts{
		friends: newAllowance(10, 15*time.Minute),
		pairs:   newAllowance(10, 15*time.Minute),
		places:  newAllowance(60, 15*time.Minute),
		names:   newAllowance(50, 15*time.Minute),
		joins:   newAllowance(10, 15*time.Minute),
		signUps: newAllowance(100, time.Hour),
		guests:  newAllowance(1000, time.Hour),
		slow:    slowTry,
		queue:   newQueue(slowAtOnce, slowLine, slowPatience),
	}
}

// A try is a password that somebody has typed for a name.
type try struct {
	name   string
	place  string // the address that it comes from
	friend string // the token of a browser that signed in to the account before; empty for strangers
}

// lane is in whose turn a try is looked at.
func (t try) lane() string {
	if t.friend != "" {
		return "friend " + t.friend
	}
	return t.place
}

// admit lets a password be tried, or gives the time to wait before it may be. Wrong passwords
// from elsewhere lock nobody out, else anybody could do that to anybody: they only make each
// stranger's try slow, and whoever has the right password waits that once. A browser that the
// account's owner has used before does not even notice. If the password was right, succeed says
// so. The error is a [refusal] where too many wait already, or that of ctx, which ended meanwhile.
func (a *attempts) admit(ctx context.Context, t try) (succeed func(), wait time.Duration, err error) {
	if t.friend != "" {
		if wait, ok := a.friends.take(t.friend); !ok {
			return nil, wait, nil
		}
		return func() { a.friends.forgive(t.friend) }, 0, nil
	}
	pair := pairOf(t.name, t.place)
	if wait, ok := a.pairs.take(pair); !ok {
		return nil, wait, nil
	}
	_, quickPlace := a.places.take(t.place)
	_, quickName := a.names.take(t.name)
	if !quickPlace {
		err = a.waitIn(ctx, "address "+t.place)
	}
	if !quickName && err == nil {
		err = a.waitIn(ctx, "name "+t.name)
	}
	if err != nil { // it will not be tried
		a.pairs.giveBack(pair)
		return nil, 0, err
	}
	return func() {
		a.pairs.forgive(pair)
		a.names.forgive(t.name)
		if quickPlace {
			a.places.giveBack(t.place)
		}
	}, 0, nil
}

// waitIn makes a try slow. Of those with the same key only so many wait at the same time.
func (a *attempts) waitIn(ctx context.Context, key string) error {
	leave, ok := a.queue.enter(ctx, key)
	if !ok {
		return crowded(ctx)
	}
	defer leave()
	slowly := time.NewTimer(a.slow)
	defer slowly.Stop()
	select {
	case <-slowly.C:
		return nil
	case <-ctx.Done():
		return crowded(ctx)
	}
}

// crowded is why there was no turn at a password.
func crowded(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("wait to try a password: %w", err)
	}
	return &refusal{status: http.StatusTooManyRequests, code: "busy", after: slowTry,
		title: "Very many sign in from here right now", message: "Your password was not looked at yet. Wait a moment, then send it again."}
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
