package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringoftowers/towers/server/check"
)

// asCommand in the environment makes this test binary behave as towers itself.
const asCommand = "TOWERS_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	check.RunChild()
	if os.Getenv(asCommand) != "" {
		main() // exits
	}
	// What a test does not say goes to no real user's folder.
	dir, err := os.MkdirTemp("", "towers-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Setenv("TOWERS_DATA", dir)
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// A process is towers running as a child of the test: it can be killed as nothing inside the
// test could be.
type process struct {
	cmd  *exec.Cmd
	base string // the address that serve printed, without the slash at its end
	log  *lockedBuffer
	done chan struct{} // closed when it has ended
}

// launch starts "towers args…". It is killed when the test ends, and its log shown if that failed.
func launch(t testing.TB, args ...string) (*process, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	return launched(t, cmd)
}

func launched(t testing.TB, cmd *exec.Cmd) (*process, io.Reader) {
	t.Helper()
	p := &process{cmd: cmd, log: new(lockedBuffer), done: make(chan struct{})}
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Stderr = p.log
	out, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	go func() {
		_ = cmd.Wait() // how it ended is for the test to judge
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		out.Close()
		if t.Failed() {
			t.Logf("%s wrote:\n%s", strings.Join(cmd.Args[1:], " "), p.log)
		}
	})
	return p, out
}

// serveOn starts a server with its data in a folder, and waits until it says where it listens.
func serveOn(t testing.TB, data string, args ...string) *process {
	t.Helper()
	p, out := launch(t, append([]string{"serve", "--addr=127.0.0.1:0", "--data=" + data}, args...)...)
	p.awaitAddress(t, out)
	return p
}

func (p *process) awaitAddress(t testing.TB, out io.Reader) {
	t.Helper()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http://") {
			p.base = strings.TrimSuffix(lines.Text(), "/")
			go io.Copy(io.Discard, out)
			return
		}
	}
	<-p.done
	t.Fatalf("the server ended (%v) and printed no address", p.cmd.ProcessState)
}

// kill ends the process at once, as the system does when memory runs out.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	<-p.done
}

// stop asks the process to end, and waits.
func (p *process) stop(t testing.TB) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(30 * time.Second):
		t.Fatal("it did not stop within 30 s")
	}
	if !p.cmd.ProcessState.Success() {
		t.Errorf("it stopped with %v", p.cmd.ProcessState)
	}
}

// A visitor is a browser as the server knows one: a jar of cookies.
type visitor struct{ client *http.Client }

func newVisitor(t testing.TB) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{&http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

// An answer is what came back for a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (v *visitor) do(ctx context.Context, method, address, body string) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := v.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, b}, err
}

// submit sends a program in and gives the id under which it was accepted.
func (v *visitor) submit(ctx context.Context, base, exercise, code string) (id string, a answer, err error) {
	lesson, name, _ := strings.Cut(exercise, "/")
	body, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		return "", answer{}, err
	}
	a, err = v.do(ctx, http.MethodPost, base+"/api/lessons/"+url.PathEscape(lesson)+"/exercises/"+url.PathEscape(name)+"/submissions", string(body))
	if err != nil || a.status != http.StatusAccepted {
		return "", a, err
	}
	return strings.TrimPrefix(a.header.Get("Location"), "/api/submissions/"), a, nil
}

// verdict asks for a submission as it is now.
func (v *visitor) verdict(ctx context.Context, base, id string) (check.Verdict, error) {
	a, err := v.do(ctx, http.MethodGet, base+"/api/submissions/"+id, "")
	if err != nil {
		return check.Verdict{}, err
	}
	if a.status != http.StatusOK {
		return check.Verdict{}, fmt.Errorf("status %d: %s", a.status, a.body)
	}
	var found check.Verdict
	return found, json.Unmarshal(a.body, &found)
}

// eventually asks again and again, ever more slowly, until ask says yes or gives an error.
func eventually(ctx context.Context, within time.Duration, ask func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 300*time.Millisecond) {
		if yes, err := ask(); yes || err != nil {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("not within %v", within)
		}
	}
}

// A lockedBuffer is written by a process and read by a test at the same time.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
