package e2e

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ringoftowers/towers/lessons"
)

// binary is what "make build" leaves: towers with the pages and the checker inside.
var binary = filepath.Join("..", "..", "bin", "towers")

// A workshop is towers as it is delivered, a process of its own that keeps what learners do and
// checks their programs.
type workshop struct {
	url  string // with no slash at its end
	data string
	args []string
	log  *journal

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// common is the one workshop of all tests that leave it as it is: each has a browser of its own,
// and so is a learner of its own.
var common struct {
	once sync.Once
	work *workshop
	err  error
}

// shop gives the workshop that all tests share. What it logs during a test that fails is shown.
func shop(tb testing.TB) *workshop {
	tb.Helper()
	common.once.Do(func() { common.work, common.err = startWorkshop() })
	if common.err != nil {
		tb.Fatal(common.err)
	}
	common.work.showLog(tb)
	return common.work
}

// ownShop starts a workshop for one test alone, with these flags besides the usual ones.
func ownShop(tb testing.TB, args ...string) *workshop {
	tb.Helper()
	w, err := startWorkshop(args...)
	if err != nil {
		tb.Fatal(err)
	}
	w.showLog(tb)
	tb.Cleanup(func() {
		if err := w.close(); err != nil {
			tb.Error(err)
		}
	})
	return w
}

// showLog shows what is logged from now on, if the test fails.
func (w *workshop) showLog(tb testing.TB) {
	from := w.log.length()
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("the server's last words were:\n%s", lastLines(w.log.since(from), 40))
		}
	})
}

func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n-1):], "")
}

func startWorkshop(args ...string) (_ *workshop, err error) {
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("these tests need the binary as it is delivered: run make build (%w)", err)
	}
	prepared, err := toolchain()
	if err != nil {
		return nil, err
	}
	w := &workshop{args: args, log: new(journal)}
	if w.data, err = os.MkdirTemp("", "towers-e2e"); err != nil {
		return nil, err
	}
	if err := os.CopyFS(w.data, os.DirFS(prepared)); err != nil {
		return nil, errors.Join(fmt.Errorf("copy the prepared toolchain: %w", err), w.close())
	}
	if err := w.start("127.0.0.1:0"); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// toolchain is a data folder that later runs find prepared: preparing takes up to a minute. A
// check that runs here says whether it still fits the binary.
func toolchain() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a place for the prepared toolchain: %w", err)
	}
	data := filepath.Join(cache, "towers-check-test")
	program, err := os.CreateTemp("", "*.go")
	if err != nil {
		return "", err
	}
	defer os.Remove(program.Name())
	_, err = program.WriteString("package exercise\n")
	if err := errors.Join(err, program.Close()); err != nil {
		return "", err
	}
	said, err := exec.Command(binary, "check", "--data="+data, "03-the-ring/owner", program.Name()).CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 {
		return "", fmt.Errorf("an empty program was not judged (%w): %s", err, said)
	}
	return data, nil
}

// start runs the process and waits until it says where it listens.
func (w *workshop) start(addr string) error {
	args := append([]string{"serve", "--addr=" + addr, "--data=" + w.data}, w.args...)
	w.cmd, w.done = exec.Command(binary, args...), make(chan struct{})
	tie(w.cmd)
	w.cmd.Stderr = w.log
	out, stdout, err := os.Pipe()
	if err != nil {
		return err
	}
	w.cmd.Stdout = stdout
	err = w.cmd.Start()
	stdout.Close()
	if err != nil {
		return errors.Join(fmt.Errorf("start the server: %w", err), out.Close())
	}
	go func() {
		_ = w.cmd.Wait() // most are killed
		close(w.done)
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http://") {
			w.url = strings.TrimSuffix(lines.Text(), "/")
			go func() {
				_, _ = io.Copy(w.log, out)
				out.Close()
			}()
			return nil
		}
	}
	out.Close()
	<-w.done
	return fmt.Errorf("the server ended (%v) before it said where it listens: %s", w.cmd.ProcessState, w.log.since(0))
}

// kill ends the process at once, as the system does when memory runs out.
func (w *workshop) kill() {
	if w.done == nil {
		return
	}
	_ = w.cmd.Process.Kill() // it may have ended already
	<-w.done
}

// again starts a killed workshop anew, at the same address and on the same data.
func (w *workshop) again(tb testing.TB) {
	tb.Helper()
	if err := w.start(strings.TrimPrefix(w.url, "http://")); err != nil {
		tb.Fatal(err)
	}
}

func (w *workshop) close() error {
	w.kill()
	return os.RemoveAll(w.data)
}

// A journal is written by a process and read by tests.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) length() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Len()
}

func (j *journal) since(from int) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return string(j.text.Bytes()[from:])
}

// set gives an exercise of the embedded course.
func set(tb testing.TB, lesson, id string) *lessons.Exercise {
	tb.Helper()
	course, err := lessons.OpenEmbedded().Course(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	l, err := course.Lesson(lesson)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := l.Exercise(id)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// stamp is a word that was never used before.
func stamp() string {
	return strings.ToLower(rand.Text()[:8])
}
