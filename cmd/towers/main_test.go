package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// towers runs the command to its end and gives its status and what it printed.
func towers(t testing.TB, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(environment{context: t.Context(), stdout: &out, stderr: &err}, args)
	return status, out.String(), err.String()
}

func TestCommandLine(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	empty := t.TempDir()
	lesson := t.TempDir()
	file := filepath.Join(lesson, "lesson.md")
	if err := os.WriteFile(file, []byte("---\ntitle: One\n---\nText.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // each is in what was printed; stderr is a single line where it is "towers: …"
	}{
		{"nothing", nil, 0, "Usage: towers <command>", ""},
		{"help", []string{"--help"}, 0, "towers serve", ""},
		{"help of a command", []string{"serve", "--help"}, 0, "TOWERS_ADDR", ""},
		{"version", []string{"version"}, 0, "ring.wasm", ""},
		{"an unknown command", []string{"sail"}, 2, "", "Try: towers --help"},
		{"an unknown flag", []string{"serve", "--adr", "x"}, 2, "", "--addr"},
		{"an unknown form of log", []string{"serve", "--log", "xml"}, 2, "", "text"},
		{"a port that is taken", []string{"serve", "--addr", busy.Addr().String()}, 2, "", "towers: " + busy.Addr().String() + " is taken by another program: "},
		{"an address that is none", []string{"serve", "--addr", "nonsense"}, 2, "", `towers: serve on "nonsense", which should be like 127.0.0.1:8080: `},
		{"no such folder", []string{"serve", "--lessons", filepath.Join(empty, "no")}, 2, "", "towers: there is no folder "},
		{"a file for a folder", []string{"serve", "--lessons", file}, 2, "", " is no folder: "},
		{"a folder without a lesson", []string{"serve", "--lessons", empty}, 2, "", "towers: there is no lesson in " + empty},
		{"a lesson for a course", []string{"serve", "--lessons", lesson}, 2, "", " is one lesson: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := towers(t, c.args...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, stdout:\n%s\nstderr:\n%s\nwant %d, %q, %q", status, stdout, stderr, c.status, c.stdout, c.stderr)
			}
			if c.args != nil && c.args[0] == "serve" && status != 0 && strings.Count(strings.ReplaceAll(stderr, "Try: towers --help\n", ""), "\n") != 1 {
				t.Errorf("more than one line:\n%s", stderr)
			}
		})
	}
}

func TestServeUntilStopped(t *testing.T) {
	course := t.TempDir()
	save(t, course, "01-first/lesson.md", "---\ntitle: The first\nsummary: A test.\nlevel: beginner\nminutes: 1\n---\n\n::nonsense\n")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, stdout := io.Pipe()
	var log bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- run(environment{context: ctx, stdout: stdout, stderr: &log},
			[]string{"serve", "--addr", "127.0.0.1:0", "--lessons", course, "--data", dataWithToolchain(t)})
		stdout.Close()
	}()
	lines := bufio.NewReader(out)
	address, err := lines.ReadString('\n')
	go io.Copy(io.Discard, lines)
	if err != nil {
		t.Fatalf("no address was printed (%v); status %d, log:\n%s", err, <-status, &log)
	}
	address = strings.TrimSpace(address)
	page := get(t, address+"lessons/01-first")
	if !strings.Contains(page, "The first") {
		t.Errorf("the lesson is not in the page:\n%s", page)
	}
	save(t, course, "01-first/lesson.md", "---\ntitle: The changed one\nsummary: A test.\nlevel: beginner\nminutes: 1\n---\n\nText.\n")
	if page := get(t, address+"lessons/01-first"); !strings.Contains(page, "The changed one") {
		t.Errorf("what was saved is not in the page:\n%s", page)
	}
	stop()
	if got := <-status; got != 0 {
		t.Errorf("status %d after it was told to stop", got)
	}
	mistake := filepath.Join(course, "01-first", "lesson.md") + ":8:"
	if !strings.Contains(log.String(), mistake) || !strings.Contains(log.String(), `"msg":"request"`) {
		t.Errorf("the log has neither %s nor the requests:\n%s", mistake, &log)
	}
}

func TestAddressIsForABrowserHere(t *testing.T) {
	for listens, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080/",
		"0.0.0.0:80":     "http://localhost:80/",
		"[::]:8080":      "http://localhost:8080/",
		"[::1]:8080":     "http://[::1]:8080/",
		"10.1.2.3:99":    "http://10.1.2.3:99/",
	} {
		a, err := net.ResolveTCPAddr("tcp", listens)
		if err != nil {
			t.Fatal(err)
		}
		if got := address(a); got != want {
			t.Errorf("for %s: %s, want %s", listens, got, want)
		}
	}
}

type silent struct{}

func (silent) Error() string   { return "not passed" }
func (silent) ExitStatus() int { return 7 }

func TestStatusOfAnError(t *testing.T) {
	if got := statusOf(errors.New("plain")); got != 1 {
		t.Errorf("a plain error has status %d, want 1", got)
	}
	if got := statusOf(fmt.Errorf("check: %w", silent{})); got != 7 {
		t.Errorf("an error with a status of its own has %d, want 7", got)
	}
}

func TestDataFolder(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/var/state")
	if got := dataFolder(); got != "/var/state/towers" {
		t.Errorf("with XDG_STATE_HOME: %s", got)
	}
	t.Setenv("XDG_STATE_HOME", "not/absolute")
	t.Setenv("HOME", "/home/ada")
	if got := dataFolder(); got != "/home/ada/.local/state/towers" {
		t.Errorf("with a home: %s", got)
	}
	t.Setenv("HOME", "")
	if got := dataFolder(); got != ".towers" {
		t.Errorf("without a home: %s", got)
	}
}

func save(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
