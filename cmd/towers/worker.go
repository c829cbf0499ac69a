package main

import (
	"errors"
	"fmt"

	"github.com/ringoftowers/towers/server/jobs"
)

type workerCommand struct {
	NATS     string `name:"nats" required:"" help:"The nats-server that \"towers serve --nats\" uses, like nats://queue:4222." placeholder:"URL" env:"TOWERS_NATS"`
	Parallel int    `help:"How many submissions are checked at once; 0 means one for each processor." default:"0" placeholder:"N" env:"TOWERS_PARALLEL"`
	Data     string `help:"The folder for the standard library compiled to WebAssembly. Usually ${data}." default:"${data}" placeholder:"DIR" env:"TOWERS_DATA"`
	logFlag
}

// Help is what "towers worker --help" says besides the flags.
func (workerCommand) Help() string {
	return "It checks what learners send to the servers that share its nats-server, until it is interrupted; " +
		"what it has begun then goes to another worker at once. Any number of workers may run, on any " +
		"machines with a Go toolchain; they need neither the lessons nor the server's data."
}

// Run checks submissions until the process is told to stop.
func (c workerCommand) Run(env environment) (err error) {
	checker, err := newChecker(env, c.Data, parallel(c.Parallel))
	if err != nil {
		return cannotRun{err}
	}
	defer func() { err = errors.Join(err, checker.Close()) }()
	fmt.Fprintln(env.stdout, "Waiting for submissions.")
	return jobs.Work(env.context, jobs.Worker{
		URL: c.NATS, Checker: checker, Slots: parallel(c.Parallel), Log: c.new(env.stderr),
	})
}
