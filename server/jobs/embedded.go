package jobs

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"golang.org/x/crypto/bcrypt"
)

const (
	startWait = 20 * time.Second // for the embedded server to be ready
	payload   = 8 << 20          // bytes of its largest message
)

// An embedded is a NATS server inside this process. It handles no signals and opens no port
// unless asked to.
type embedded struct {
	options server.Options
	log     *slog.Logger

	mu     sync.Mutex
	server *server.Server
}

// embed starts a server that keeps its streams in dir. listen is empty or
// [user:password@]host:port.
func embed(dir, listen string, log *slog.Logger) (*embedded, error) {
	if dir == "" {
		return nil, errors.New("jobs: Config.Dir is empty: the embedded NATS server needs a folder")
	}
	e := &embedded{log: log, options: server.Options{
		ServerName: "towers", NoSigs: true, DontListen: listen == "",
		JetStream: true, StoreDir: dir, MaxPayload: payload, MaxPending: 8 * payload,
		// By default these follow the disk's free space at start, which says little about later.
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 4 << 30,
		DisableJetStreamBanner: true,
	}}
	if listen != "" {
		if err := listenAt(&e.options, listen); err != nil {
			return nil, err
		}
	}
	var err error
	if e.server, err = e.start(); errors.Is(err, errStreams) {
		// Nothing that is only here is lost: the rows are the truth.
		log.Warn("the queue's folder cannot be used; starting with an empty one", "folder", dir, "error", err)
		if err = os.RemoveAll(filepath.Join(dir, server.JetStreamStoreDir)); err == nil {
			e.server, err = e.start()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("start the embedded NATS server: %w", err)
	}
	return e, nil
}

// listenAt sets where a server listens, and who may come in.
func listenAt(o *server.Options, listen string) error {
	u, err := url.Parse("nats://" + listen)
	if err != nil || u.Port() == "" || u.Path != "" {
		return fmt.Errorf("listen at %q: say [user:password@]host:port, such as 127.0.0.1:4222", listen)
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return fmt.Errorf("listen at %q: the port must be a number up to 65535", listen)
	}
	o.Host, o.Port, o.Username = u.Hostname(), int(port), u.User.Username()
	o.Password, _ = u.User.Password()
	if port == 0 {
		o.Port = server.RANDOM_PORT
	}
	ip := net.ParseIP(o.Host)
	if (o.Username == "" || o.Password == "") && o.Host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("listen at %q: whoever can connect there decides who passes, so say user:password@%s", listen, u.Host)
	}
	return nil
}

// errStreams says that the server runs and its streams do not.
var errStreams = errors.New("JetStream does not start")

func (e *embedded) start() (*server.Server, error) {
	options := e.options
	if options.Password != "" {
		// The server asks for a hash, so that it has no password to lose.
		hash, err := bcrypt.GenerateFromPassword([]byte(options.Password), bcrypt.MinCost)
		if err != nil {
			return nil, fmt.Errorf("use the password for workers: %w", err)
		}
		options.Password = string(hash)
	}
	s, err := server.NewServer(&options)
	if err != nil {
		return nil, fmt.Errorf("configure it: %w", err)
	}
	voice := &serverLog{log: e.log}
	s.SetLoggerV2(voice, false, false, false)
	s.Start()
	for end := time.Now().Add(startWait); time.Now().Before(end) && voice.last() == ""; {
		if s.ReadyForConnections(100 * time.Millisecond) {
			return s, nil
		}
	}
	s.Shutdown()
	s.WaitForShutdown()
	switch last := voice.last(); {
	case last == "":
		return nil, fmt.Errorf("it is not ready after %v", startWait)
	case strings.Contains(last, "JetStream"):
		return nil, fmt.Errorf("%w: %s", errStreams, last)
	default:
		return nil, errors.New(last)
	}
}

// inside is how a client in this process connects, also after the server was started anew.
func (e *embedded) inside() []nats.Option {
	return []nats.Option{nats.InProcessServer(e), nats.UserInfo(e.options.Username, e.options.Password)}
}

// InProcessConn gives a connection to the present server.
func (e *embedded) InProcessConn() (net.Conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server.InProcessConn()
}

// revive starts the server anew if its streams have ended: they do when the disk is full, and
// do not begin again by themselves.
func (e *embedded) revive() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server.JetStreamEnabled() {
		return nil
	}
	e.log.Warn("the queue's streams have ended, perhaps because the disk was full; starting them anew")
	e.server.Shutdown()
	e.server.WaitForShutdown()
	s, err := e.start()
	if err != nil {
		return fmt.Errorf("start the embedded NATS server again: %w", err)
	}
	e.server = s
	return nil
}

// url is where workers on other machines can connect, without credentials.
func (e *embedded) url() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.options.DontListen {
		return ""
	}
	return "nats://" + e.server.Addr().String()
}

// stop ends the server and returns when nothing of it runs any more.
func (e *embedded) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// A serverLog passes what the NATS server says to our log. Its notices interest only who looks
// for a fault.
type serverLog struct {
	log *slog.Logger

	mu    sync.Mutex
	fatal string
}

func (s *serverLog) Noticef(format string, v ...any) {
	s.log.Debug("nats: " + fmt.Sprintf(format, v...))
}
func (s *serverLog) Debugf(format string, v ...any) {
	s.log.Debug("nats: " + fmt.Sprintf(format, v...))
}
func (s *serverLog) Tracef(format string, v ...any) {
	s.log.Debug("nats: " + fmt.Sprintf(format, v...))
}
func (s *serverLog) Warnf(format string, v ...any)  { s.log.Warn("nats: " + fmt.Sprintf(format, v...)) }
func (s *serverLog) Errorf(format string, v ...any) { s.say(format, v...) }

// Fatalf logs too: ending the process is not the NATS server's business.
func (s *serverLog) Fatalf(format string, v ...any) { s.say(format, v...) }

func (s *serverLog) say(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	s.log.Error("nats: " + text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fatal = text
}

// last is what the server could not go on after; empty if it goes on.
func (s *serverLog) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fatal
}
