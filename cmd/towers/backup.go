package main

import (
	"fmt"

	"github.com/ringoftowers/towers/server/store"
)

type backupCommand struct {
	File string `arg:"" help:"Where the copy goes. A file that is there already is not written over." placeholder:"FILE" type:"path"`
	Data string `help:"The folder whose data are copied. Usually ${data}." default:"${data}" placeholder:"DIR" env:"TOWERS_DATA"`
}

// Help is what "towers backup --help" says besides the flags.
func (backupCommand) Help() string {
	return "It copies accounts, submissions, verdicts, drafts, notes and progress as they are at this moment, and may " +
		"do so while the server runs. To go back to a copy, stop the server and put the copy in the place of " +
		"store/towers.db in the data folder, removing towers.db-wal and towers.db-shm beside it."
}

// Run copies what is kept to a file.
func (c backupCommand) Run(env environment) error {
	if err := store.BackupFile(env.context, storeFile(c.Data), c.File); err != nil {
		return cannotRun{fmt.Errorf("back up %s: %w", c.Data, err)}
	}
	fmt.Fprintln(env.stdout, c.File)
	return nil
}
