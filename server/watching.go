package server

import (
	"context"
	"errors"

	"github.com/coder/websocket"

	"github.com/ringoftowers/towers/server/store"
)

// watching is a submission of which a page gets the news.
type watching struct {
	stop context.CancelFunc
	over chan struct{} // closed when nothing of it runs any more
}

// watch begins to send the news of a submission, if it is the page's to see. It reports false
// when it has closed the line.
func (k *socket) watch(c command) bool {
	if len(k.asker.Cookies()) == 0 {
		// The page got its session when it submitted, and its line is older than that.
		k.hangUp(websocket.StatusTryAgainLater, "this line has no session; open another")
		return false
	}
	if _, ok := k.server.rates.watches.take(k.sender); !ok {
		k.hangUp(websocket.StatusTryAgainLater, "too much is asked from this address; come back in ten seconds")
		return false
	}
	sub, err := k.allowed(c.Watch)
	if errors.Is(err, store.ErrNotFound) {
		return k.send(message{Type: "gone", ID: c.Watch})
	}
	if err != nil {
		if k.life.Err() == nil {
			k.server.log.ErrorContext(k.life, "a page cannot watch", "submission", c.Watch, "error", err)
			k.hangUp(websocket.StatusTryAgainLater, "something broke on our side; come back in a moment")
		}
		return false
	}
	// Whoever asks again and again for the same waits here for what was asked for before.
	k.unwatch(sub.ID)
	sub.Result = nil // may be large, and is read again when it is drawn
	ctx, stop := context.WithCancel(k.life)
	w := &watching{stop: stop, over: make(chan struct{})}
	if !k.enter(sub.ID, w) {
		stop()
		k.hangUp(websocket.StatusPolicyViolation, "too many submissions are watched; unwatch some first")
		return false
	}
	k.tasks.Go(func() {
		defer k.leave(sub.ID, w)
		defer k.caught()
		k.follow(ctx, sub, c)
	})
	return true
}

// allowed finds a submission, if whoever has the page's session now may see it.
func (k *socket) allowed(id string) (store.Submission, error) {
	learner, err := k.server.who(k.asker.WithContext(k.life))
	if err != nil {
		return store.Submission{}, err
	}
	return k.server.theirs(k.life, learner, id)
}

// follow sends the news of a submission until it is judged.
func (k *socket) follow(ctx context.Context, sub store.Submission, c command) {
	f := k.server.follow(sub.ID, c.After)
	defer f.close()
	for f.wait(ctx) == nil && k.aside(func() bool { return k.tell(ctx, f, sub, c.As) }) {
	}
}

// tell sends what is new of a submission, and reports whether there may be more. A verdict with
// all that its program printed can take megabytes while it is drawn and sent, so each page gets
// one at a time: else a page that reads nothing could have the server hold one for each watch.
func (k *socket) tell(ctx context.Context, f *follower, sub store.Submission, as string) (more bool) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return false
	}
	e, news, err := f.take(ctx)
	if err == nil && !news {
		return true
	}
	var u update
	if err == nil {
		u, err = k.server.update(ctx, e, as, sub)
	}
	if errors.Is(err, store.ErrNotFound) {
		k.send(message{Type: "gone", ID: sub.ID}) // its learner had everything deleted
		return false
	}
	if err != nil {
		if ctx.Err() == nil {
			k.server.log.ErrorContext(ctx, "the news of a submission broke off", "submission", sub.ID, "error", err)
			k.hangUp(websocket.StatusTryAgainLater, "something broke on our side; come back in a moment")
		}
		return false
	}
	return k.send(message{Type: "submission", update: &u}) && !e.Final()
}

func (k *socket) enter(id string, w *watching) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.watches) >= mostWatches {
		return false
	}
	k.watches[id] = w
	return true
}

// leave forgets a watch that is over, unless another has taken its place.
func (k *socket) leave(id string, w *watching) {
	w.stop()
	close(w.over)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.watches[id] == w {
		delete(k.watches, id)
	}
}

// unwatch ends a watch, if there is one, and returns when nothing of it is left.
func (k *socket) unwatch(id string) {
	k.mu.Lock()
	w := k.watches[id]
	delete(k.watches, id)
	k.mu.Unlock()
	if w != nil {
		w.stop()
		<-w.over
	}
}
