package jobs

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
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
	server         *server.Server
	user, password string
}

// embed starts a server. It does not start without a folder dir, though it has nothing to put
// there. listen is empty or [user:password@]host:port.
func embed(dir, listen string, log *slog.Logger) (*embedded, error) {
	if dir == "" {
		return nil, errors.New("jobs: Config.Dir is empty: the embedded NATS server needs a folder")
	}
	options := &server.Options{
		ServerName: "towers", NoSigs: true, DontListen: listen == "",
		MaxPayload: payload, MaxPending: 8 * payload,
		JetStream: true, StoreDir: dir, DisableJetStreamBanner: true,
		JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 1 << 20,
	}
	if listen != "" {
		if err := listenAt(options, listen); err != nil {
			return nil, err
		}
	}
	e := &embedded{user: options.Username, password: options.Password}
	if err := e.start(options, log); err != nil {
		return nil, fmt.Errorf("start the embedded NATS server: %w", err)
	}
	if listen != "" {
		log.Info("workers of other machines may join", "at", e.server.Addr())
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

// start starts the server and waits until it is ready.
func (e *embedded) start(options *server.Options, log *slog.Logger) error {
	if options.Password != "" {
		// The server asks for a hash, so that it has no password to lose.
		hash, err := bcrypt.GenerateFromPassword([]byte(options.Password), bcrypt.MinCost)
		if err != nil {
			return fmt.Errorf("use the password for workers: %w", err)
		}
		options.Password = string(hash)
	}
	s, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("configure it: %w", err)
	}
	voice := &serverLog{log: log}
	s.SetLoggerV2(voice, false, false, false)
	s.Start()
	for end := time.Now().Add(startWait); time.Now().Before(end) && voice.last() == ""; {
		if s.ReadyForConnections(100 * time.Millisecond) {
			e.server = s
			return nil
		}
	}
	s.Shutdown()
	s.WaitForShutdown()
	if last := voice.last(); last != "" {
		return errors.New(last)
	}
	return fmt.Errorf("it is not ready after %v", startWait)
}

// inside is how a client in this process connects.
func (e *embedded) inside() []nats.Option {
	return []nats.Option{nats.InProcessServer(e.server), nats.UserInfo(e.user, e.password)}
}

// stop ends the server and returns when nothing of it runs any more.
func (e *embedded) stop() {
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
func (s *serverLog) Warnf(format string, v ...any) { s.log.Warn("nats: " + fmt.Sprintf(format, v...)) }
func (s *serverLog) Errorf(format string, v ...any) {
	s.log.Error("nats: " + fmt.Sprintf(format, v...))
}

// Fatalf logs too: ending the process is not the NATS server's business.
func (s *serverLog) Fatalf(format string, v ...any) {
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
