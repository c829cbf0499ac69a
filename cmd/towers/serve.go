package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"syscall"

	"github.com/ringoftowers/towers/server"
	"github.com/ringoftowers/towers/web"
)

type serveCommand struct {
	courseFlags
	Addr string `help:"The address to serve on; port 0 takes any free port." default:"127.0.0.1:8080" placeholder:"HOST:PORT" env:"TOWERS_ADDR"`
	Data string `help:"The folder for what must last. Nothing is kept yet in this version. Usually ${data}." default:"${data}" placeholder:"DIR" env:"TOWERS_DATA"`
	Log  string `help:"How to write the log: text for people, json for programs, auto for text on a terminal." default:"auto" enum:"auto,text,json" env:"TOWERS_LOG"`
}

// Help is what "towers serve --help" says besides the flags.
func (serveCommand) Help() string {
	return "It prints its address when it is ready, writes its log to standard error, and finishes " +
		"the requests under way when it is interrupted. The default address is for this machine alone; " +
		"to let others in, give one like 0.0.0.0:8080."
}

// Run serves until the process is told to stop.
func (c serveCommand) Run(env environment) error {
	s, l, err := c.prepare(env)
	if err != nil {
		return cannotRun{err}
	}
	fmt.Fprintln(env.stdout, address(l.Addr()))
	return s.Serve(env.context, l)
}

// prepare does all that can go wrong before the first request.
func (c serveCommand) prepare(env environment) (*server.Server, net.Listener, error) {
	log := newLog(env.stderr, c.Log)
	library, err := c.library(env.context)
	if err != nil {
		return nil, nil, err
	}
	if err := tellMistakes(env.context, library, log); err != nil {
		return nil, nil, err
	}
	built, err := web.Dist()
	if err != nil {
		return nil, nil, err
	}
	s, err := server.New(server.Config{Library: library, Built: built, Log: log})
	if err != nil {
		return nil, nil, err
	}
	l, err := listen(env.context, c.Addr)
	return s, l, err
}

// tellMistakes logs what is wrong with the lessons. They are served nevertheless, each mistake
// standing in its page, so the author who looks at the log finds them all in one place.
func tellMistakes(ctx context.Context, library server.Library, log *slog.Logger) error {
	course, err := library.Course(ctx)
	if err != nil {
		return fmt.Errorf("read the course: %w", err)
	}
	problems := slices.Clone(course.Problems)
	for _, l := range course.Lessons {
		problems = append(problems, l.Problems...)
	}
	for _, p := range problems {
		log.WarnContext(ctx, "mistake in a lesson", "at", p.String())
	}
	return nil
}

// listen opens the address, and says what to do where that fails for the usual reasons.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program: stop that one, or choose another port with --addr", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s is not yours to serve on: ports below 1024 are the system's, choose another with --addr", addr)
	case err != nil:
		return nil, fmt.Errorf("serve on %q, which should be like 127.0.0.1:8080: %w", addr, err)
	}
	return l, nil
}

// address is what to type into a browser on this machine for what listens at a.
func address(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return a.String()
	}
	host := tcp.IP.String()
	if tcp.IP.IsUnspecified() {
		host = "localhost" // every address of this machine, of which this one needs no looking up
	}
	return fmt.Sprintf("http://%s/", net.JoinHostPort(host, fmt.Sprint(tcp.Port)))
}

// newLog makes the log that --log asks for.
func newLog(w io.Writer, form string) *slog.Logger {
	if form == "auto" {
		form = "json"
		if isTerminal(w) {
			form = "text"
		}
	}
	if form == "text" {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

// isTerminal says whether somebody is likely to be reading what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
