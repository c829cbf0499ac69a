package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	redial   = 250 * time.Millisecond // between two attempts to connect again
	patience = 3 * time.Second        // for one answer of the NATS server
	// A request for messages lives so long. It is less than a job stays with a worker that died,
	// so that the next one to get the job is not another request of the dead.
	fetchWait  = 2 * time.Second
	fetchPause = 250 * time.Millisecond // after one that failed
)

// A link is a connection to NATS that is made again whenever it is lost.
type link struct {
	conn *nats.Conn
	js   jetstream.JetStream
	log  *slog.Logger

	mu      sync.Mutex
	epoch   int             // counts the connections
	up      context.Context // done once the present connection is lost
	down    context.CancelFunc
	ready   chan struct{} // closed while there is a connection
	changed func()        // called after each change
	gone    chan struct{} // closed when the connection will not be made again
	wrong   string        // what NATS said last that is wrong with the connection
}

// dial connects to the NATS server at url. One that is not there is no error: the link is made as
// soon as it comes. One that refuses the credentials is.
func dial(url string, log *slog.Logger, changed func(), more ...nats.Option) (*link, error) {
	up, down := context.WithCancel(context.Background())
	down()
	l := &link{log: log, up: up, down: down, ready: make(chan struct{}), changed: changed, gone: make(chan struct{})}
	options := append([]nats.Option{
		nats.Name("towers"),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(redial),
		nats.ReconnectJitter(redial, redial),
		// Who is refused later, while passwords are changed for example, tries again like any other.
		nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(5 * time.Second),
		// What cannot be sent now is sent anew later by those who know whether it still matters.
		nats.ReconnectBufSize(-1),
		nats.ConnectHandler(l.connected),
		nats.ReconnectHandler(l.connected),
		nats.DisconnectErrHandler(l.disconnected),
		nats.ClosedHandler(func(*nats.Conn) { close(l.gone) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { l.complain(err) }),
	}, more...)
	conn, err := nats.Connect(url, options...)
	switch {
	case err == nil:
	case !refused(err):
		log.Warn("there is no NATS server yet; trying again until there is", "error", err)
		conn, err = nats.Connect(url, append(options, nats.RetryOnFailedConnect(true))...)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	l.conn = conn
	if l.js, err = jetstream.New(conn, jetstream.WithDefaultTimeout(patience)); err != nil {
		conn.Close()
		return nil, fmt.Errorf("use JetStream: %w", err)
	}
	return l, nil
}

// refused reports whether a NATS server answered and will answer the same again.
func refused(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrNkeysNotSupported)
}

func (l *link) connected(*nats.Conn) {
	l.mu.Lock()
	if l.up.Err() != nil {
		l.epoch++
		l.up, l.down = context.WithCancel(context.Background())
		l.wrong = ""
		close(l.ready)
	}
	l.mu.Unlock()
	l.log.Debug("connected to NATS")
	l.changed()
}

func (l *link) disconnected(_ *nats.Conn, err error) {
	l.mu.Lock()
	if l.up.Err() == nil {
		l.down()
		l.ready = make(chan struct{})
	}
	l.mu.Unlock()
	if err != nil {
		l.log.Warn("the connection to NATS is lost; what is sent in meanwhile is kept", "error", err)
	}
	l.changed()
}

// complain logs what NATS says is wrong, and not how often it says so.
func (l *link) complain(err error) {
	l.mu.Lock()
	again := l.wrong == err.Error()
	l.wrong = err.Error()
	l.mu.Unlock()
	if !again {
		l.log.Warn("NATS reports an error", "error", err)
	}
}

// alive gives the number of the present connection, and false if there is none.
func (l *link) alive() (epoch int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.epoch, l.up.Err() == nil
}

// await waits for a connection and gives a context that ends with it. The error is ctx's own, or
// matches nats.ErrConnectionClosed: there will be none.
func (l *link) await(ctx context.Context) (context.Context, error) {
	for {
		l.mu.Lock()
		up, ready := l.up, l.ready
		l.mu.Unlock()
		if up.Err() == nil {
			return up, nil
		}
		select {
		case <-ready:
		case <-l.gone:
			return nil, errors.Join(nats.ErrConnectionClosed, l.conn.LastError())
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// close ends the connection for good and waits until it has.
func (l *link) close() {
	l.conn.Close()
	<-l.gone
}

// most is how many bytes the body of a message may have.
func (l *link) most() int { return int(l.conn.MaxPayload()) - headroom }

// publish hands a message to a stream and returns when the stream has it. An error may mean that
// only its answer was lost.
func (l *link) publish(ctx context.Context, subject, messageID string, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	up, err := l.await(ctx)
	if err != nil {
		return err
	}
	// The answer comes by the connection that the message went by, or not at all.
	defer context.AfterFunc(up, cancel)()
	if _, err := l.js.Publish(ctx, subject, data, jetstream.WithMsgID(messageID)); err != nil {
		return fmt.Errorf("publish to %s: %w", subject, err)
	}
	return nil
}

// pull hands the messages of a durable consumer to handle, one after another, until ctx is done
// or the connection has ended for good; only the latter is an error. It asks for at most n at a
// time. handle must acknowledge; it may be called once more after ctx is done, with what was on
// its way.
func (l *link) pull(ctx context.Context, stream, consumer string, n int, handle func(jetstream.Msg)) error {
	missing := false
	for {
		up, err := l.await(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		err = l.fetch(ctx, up, stream, consumer, n, handle)
		if ctx.Err() != nil || err == nil {
			continue
		}
		none := errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConsumerNotFound)
		if none && !missing {
			l.log.Warn("there is no queue at this NATS server yet; waiting for towers serve to make it", "error", err)
		} else {
			l.log.Debug("no messages", "stream", stream, "error", err)
		}
		missing = none
		pause(ctx, fetchPause)
	}
}

// fetch makes one request for messages.
func (l *link) fetch(ctx, up context.Context, stream, consumer string, n int, handle func(jetstream.Msg)) error {
	source, err := l.js.Consumer(ctx, stream, consumer)
	if err != nil {
		return fmt.Errorf("find the consumer: %w", err)
	}
	for ctx.Err() == nil && up.Err() == nil {
		if err := fetchOnce(ctx, up, source, n, handle); err != nil {
			return err
		}
	}
	return nil
}

func fetchOnce(ctx, up context.Context, source jetstream.Consumer, n int, handle func(jetstream.Msg)) error {
	// Without its connection a request never hears that it has expired.
	ctx, cancel := context.WithTimeout(ctx, fetchWait)
	defer cancel()
	stop := context.AfterFunc(up, cancel)
	defer stop()
	batch, err := source.Fetch(n, jetstream.FetchContext(ctx))
	if err != nil {
		return fmt.Errorf("ask for messages: %w", err)
	}
	for msg := range batch.Messages() {
		handle(msg)
	}
	if err := batch.Error(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("wait for messages: %w", err)
	}
	return nil
}

// pause waits for a time, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
