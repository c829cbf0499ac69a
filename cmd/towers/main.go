// Command towers is the whole of Ring of Towers in one binary: it serves the lessons, and has
// the tools of those who write them.
//
// There is no logic of its own here: it reads flags, puts the packages together and turns
// their errors into one line and an exit status. The status is 0 when all went well, 1 when it
// did not, and 2 when the command could not be understood or run at all.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/ringoftowers/towers/server/check"
)

const description = `A playground that teaches how to spread work over machines that come and go.

Begin with "towers serve" and open the address that it prints.`

// A cli is the command line: a field for each command, the flags of which are its fields.
type cli struct {
	Backup  backupCommand  `cmd:"" help:"Copy what is kept to a file, while the server runs or not."`
	Check   checkCommand   `cmd:"" help:"Check a Go file against an exercise, here and now."`
	Lint    lintCommand    `cmd:"" help:"Prove a course: every lesson, every exercise."`
	New     newCommand     `cmd:"" help:"Write the skeleton of a lesson or of an exercise."`
	Serve   serveCommand   `cmd:"" help:"Serve the lessons, everything on one machine."`
	Worker  workerCommand  `cmd:"" help:"Check submissions for servers that share a nats-server."`
	Version versionCommand `cmd:"" help:"Print the version, Go's version and the size of the WebAssembly."`
}

// An environment is what the process has and a test replaces.
type environment struct {
	context        context.Context // done when the process should stop
	stdout, stderr io.Writer
}

func main() {
	check.RunChild() // returns at once unless this process is a sandbox of the checker

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal asks to finish; from then on a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(environment{context: ctx, stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:]))
}

// run is the process: it carries out a command and gives the exit status.
func run(env environment, args []string) int {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	// Kong wants to exit after --help; here it only says so.
	exited, status := false, 0
	parser, err := kong.New(&cli{},
		kong.Name("towers"),
		kong.Description(description),
		kong.Writers(env.stdout, env.stderr),
		kong.Exit(func(code int) { exited, status = true, code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{"data": dataFolder()},
		kong.Bind(env))
	if err != nil {
		fmt.Fprintln(env.stderr, "towers:", err)
		return 2
	}
	command, err := parser.Parse(args)
	if exited {
		return status
	}
	if err != nil {
		fmt.Fprintf(env.stderr, "towers: %v\nTry: towers --help\n", err)
		return 2
	}
	err = command.Run()
	if err == nil {
		return 0
	}
	fmt.Fprintln(env.stderr, "towers:", err)
	return statusOf(err)
}

// statusOf is the exit status for an error: its own, if it has one, or else 1.
func statusOf(err error) int {
	var own interface{ ExitStatus() int }
	if errors.As(err, &own) {
		return own.ExitStatus()
	}
	return 1
}
