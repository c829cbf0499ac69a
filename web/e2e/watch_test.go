package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// A watch collects what a browser has to complain of in one tab: errors and warnings in the
// console (of its workers too), exceptions that nobody caught, breaches of the security policy,
// requests that failed or were refused.
type watch struct {
	mu       sync.Mutex
	seen     []string
	expected []string
}

// expect lets faults pass that have text in them: the test is about them.
func (w *watch) expect(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected = append(w.expected, text)
}

// take gives the faults so far that nobody expected, and forgets them.
func (w *watch) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	faults := slices.DeleteFunc(w.seen, func(fault string) bool {
		return slices.ContainsFunc(w.expected, func(text string) bool { return strings.Contains(fault, text) })
	})
	w.seen = nil
	return faults
}

// see is called for every event of the tab, one after the other.
func (w *watch) see(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			fault = fmt.Sprintf("console.%s:%s", e.Type, said(e.Args))
		}
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			fault += " " + thrown.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			fault = fmt.Sprintf("%s %s: %s (%s)", e.Entry.Source, e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventLoadingFailed:
		// A request that a page gave up because it went away is no fault of anybody.
		if !e.Canceled {
			fault = fmt.Sprintf("request failed: %s %s", e.ErrorText, e.BlockedReason)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			fault = fmt.Sprintf("status %d for %s", e.Response.Status, e.Response.URL)
		}
	}
	if fault != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, fault)
	}
}

// said writes the arguments of a call to the console.
func said(args []*runtime.RemoteObject) string {
	var b strings.Builder
	for _, a := range args {
		b.WriteByte(' ')
		if a.Description != "" {
			b.WriteString(a.Description)
		} else {
			b.Write(a.Value)
		}
	}
	return b.String()
}
