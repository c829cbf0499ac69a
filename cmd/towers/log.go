package main

import (
	"io"
	"log/slog"
	"os"
)

// logFlag is the flag of the commands that run for long.
type logFlag struct {
	Log string `help:"How to write the log: text for people, json for programs, auto for text on a terminal." default:"auto" enum:"auto,text,json" env:"TOWERS_LOG"`
}

// new makes the log that --log asks for.
func (f logFlag) new(w io.Writer) *slog.Logger {
	if f.Log == "text" || f.Log == "auto" && isTerminal(w) {
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
