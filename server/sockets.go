package server

import (
	"context"
	"sync"
	"time"
)

// mostSockets is how many may be open at once. Each takes some 10 KB while nothing happens, so
// all together take about 40 MB; pages that find no room ask for their news by polling.
const mostSockets = 4096

// mostOfSession is how many of them one session may have, which is as many pages as somebody has
// open at once. Those without a session can watch nothing, and cost no more than being there.
const mostOfSession = 20

// sockets owns every open WebSocket: net/http forgets a connection once it is one, and neither
// closes it nor waits for it when the server stops.
type sockets struct {
	most      int           // that may be open at once
	mostOf    int           // that may be open at once for one session
	pingEvery time.Duration // how often a silent page is asked whether it is there
	patience  time.Duration // for the answer, and for a page to take what it is sent

	life context.Context // ends when the server stops
	stop context.CancelFunc

	mu   sync.Mutex
	open map[*socket]struct{}
	of   map[string]int // how many are open, by session
	all  sync.WaitGroup
}

func newSockets() *sockets {
	// A server lives from New on, whoever made it and why.
	life, stop := context.WithCancel(context.Background())
	return &sockets{
		most: mostSockets, mostOf: mostOfSession, pingEvery: 30 * time.Second, patience: 10 * time.Second,
		life: life, stop: stop, open: make(map[*socket]struct{}), of: make(map[string]int),
	}
}

// enter counts a socket in. It reports false where there is no room or the server stops.
func (all *sockets) enter(k *socket) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.life.Err() != nil || len(all.open) >= all.most || k.session != "" && all.of[k.session] >= all.mostOf {
		return false
	}
	all.open[k] = struct{}{}
	all.of[k.session]++
	all.all.Add(1)
	return true
}

// leave counts a socket out, when nothing of it runs any more.
func (all *sockets) leave(k *socket) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.open, k)
	if all.of[k.session]--; all.of[k.session] == 0 {
		delete(all.of, k.session)
	}
	all.all.Done()
}

// count is how many are open.
func (all *sockets) count() int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.open)
}

// close lets no new socket in, has the others say good-bye, and gives everybody who waits for
// news what there is. It returns when all are closed; those that are still open when ctx is done
// are cut.
func (all *sockets) close(ctx context.Context) {
	all.mu.Lock() // whoever is being counted in is in, and nobody comes after
	all.stop()
	all.mu.Unlock()
	gone := make(chan struct{})
	go func() {
		all.all.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return
	case <-ctx.Done():
	}
	all.mu.Lock()
	for k := range all.open {
		k.cut()
	}
	all.mu.Unlock()
	<-gone
}

// until is a context that also ends when the server stops. The caller must call cancel.
func (all *sockets) until(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(parent)
	off := context.AfterFunc(all.life, cancel)
	return ctx, func() {
		off()
		cancel()
	}
}
