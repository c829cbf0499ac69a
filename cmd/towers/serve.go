package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/ringoftowers/towers/server"
	"github.com/ringoftowers/towers/web"
)

type serveCommand struct {
	courseFlags
	Addr     string `help:"The address to serve on; port 0 takes any free port." default:"127.0.0.1:8080" placeholder:"HOST:PORT" env:"TOWERS_ADDR"`
	Data     string `help:"The folder for what must last: accounts, submissions, verdicts. Usually ${data}." default:"${data}" placeholder:"DIR" env:"TOWERS_DATA"`
	Parallel int    `help:"How many submissions are checked at once in this process; -1 means one for each processor, 0 leaves all to workers elsewhere." default:"-1" placeholder:"N" env:"TOWERS_PARALLEL"`
	NATS     string `name:"nats" xor:"nats" help:"Queue at this nats-server instead of inside the process, so that workers of other machines can join." placeholder:"URL" env:"TOWERS_NATS"`
	Listen   string `name:"nats-listen" xor:"nats" help:"Let workers of other machines join the queue inside the process, at this address; one that others can reach needs a name and a password." placeholder:"USER:PASSWORD@HOST:PORT" env:"TOWERS_NATS_LISTEN"`
	logFlag
}

// Help is what "towers serve --help" says besides the flags.
func (serveCommand) Help() string {
	return "It prints its address when it is ready, writes its log to standard error, and finishes " +
		"the requests under way when it is interrupted. The default address is for this machine alone; " +
		"to let others in, give one like 0.0.0.0:8080. " +
		"The first time it also prints a link that makes whoever opens it an instructor."
}

// Run serves until the process is told to stop.
func (c serveCommand) Run(env environment) (err error) {
	log := c.new(env.stderr)
	collectSooner()
	if c.Parallel == 0 && c.NATS == "" && c.Listen == "" {
		return cannotRun{errors.New("with --parallel 0 nobody would check anything: give --nats or --nats-listen too, for workers elsewhere")}
	}
	s, l, err := c.prepare(env, log)
	if err != nil {
		return cannotRun{err}
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := c.greet(env, s, l); err != nil {
		return errors.Join(err, l.Close())
	}
	return s.serve(env.context, l, c.Parallel != 0)
}

// collectSooner has the process hold less garbage than Go's programs do: half of what is alive
// instead of as much again. What a server has is mostly what open pages need, and there may be
// thousands; collecting twice as often costs little beside the programs that are compiled and run.
// Who sets GOGC has decided otherwise.
func collectSooner() {
	const percent = 50
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// greet says where the site is, and to the one who sets it up how to become its instructor.
func (c serveCommand) greet(env environment, s *site, l net.Listener) error {
	home := address(l.Addr())
	fmt.Fprintln(env.stdout, home)
	path, err := s.server.FirstInvitation(env.context)
	if err != nil {
		return fmt.Errorf("make the first instructor's link: %w", err)
	}
	if path != "" {
		fmt.Fprintf(env.stdout, "There is no instructor yet. Whoever opens this link first becomes one: %s%s\n",
			strings.TrimSuffix(home, "/"), path)
	}
	return nil
}

// prepare does all that can go wrong before the first request.
func (c serveCommand) prepare(env environment, log *slog.Logger) (*site, net.Listener, error) {
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
	l, err := listen(env.context, c.Addr)
	if err != nil {
		return nil, nil, err
	}
	s, err := c.open(env.context, library, built, log)
	if err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	return s, l, nil
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
