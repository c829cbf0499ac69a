package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// shared is the one browser of all tests: starting one for each would take most of the time.
var shared browser

// A browser is a Chromium that starts when it is first needed.
type browser struct {
	once    sync.Once
	context context.Context
	stop    context.CancelFunc
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if common.work != nil {
		_ = common.work.close() // what stays in the temporary folder harms nobody
	}
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// need gives the context of the running browser. Where none can be found the test is left out,
// or fails if somebody counts on one.
func (b *browser) need(tb testing.TB) context.Context {
	tb.Helper()
	path, err := findBrowser()
	if err != nil {
		for _, counted := range []string{"TOWERS_BROWSER", "TOWERS_REQUIRE_BROWSER", "CI"} {
			if os.Getenv(counted) != "" {
				tb.Fatal(err)
			}
		}
		tb.Skipf("left out: %v", err)
	}
	b.once.Do(func() { b.start(path) })
	if b.err != nil {
		tb.Fatalf("start %s: %v", path, b.err)
	}
	return b.context
}

func findBrowser() (string, error) {
	if path := os.Getenv("TOWERS_BROWSER"); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("the browser that TOWERS_BROWSER names: %w", err)
		}
		return found, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no browser here: set TOWERS_BROWSER to a Chromium or Chrome")
}

func (b *browser) start(path string) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true))
	if os.Geteuid() == 0 {
		// Chromium refuses its sandbox to root. The pages that it is shown here are our own.
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	b.context = ctx
	b.stop = func() { stop(); stopAllocator() }
	b.err = chromedp.Do(ctx)
}
