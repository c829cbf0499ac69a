package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

func TestPackWritesTwinsThatUnpackToTheSame(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	text := strings.Repeat("towers and letters\n", 500)
	write(t, in, "lesson.js", text)

	packed, err := pack(out, []string{filepath.Join(in, "lesson.js")})
	if err != nil {
		t.Fatal(err)
	}
	name := packed[0].hashed
	if !regexp.MustCompile(`^lesson-[0-9a-f]{12}\.js$`).MatchString(name) {
		t.Errorf("the name is %q", name)
	}
	if got := manifest(t, out); len(got) != 1 || got["lesson.js"] != name {
		t.Errorf("the manifest is %v, want lesson.js for %s alone", got, name)
	}
	if got := read(t, out, name); got != text {
		t.Error("the file itself was changed")
	}
	br, err := io.ReadAll(brotli.NewReader(strings.NewReader(read(t, out, name+".br"))))
	if err != nil || string(br) != text {
		t.Errorf("from brotli: %d bytes, error %v", len(br), err)
	}
	zr, err := gzip.NewReader(strings.NewReader(read(t, out, name+".gz")))
	if err != nil {
		t.Fatal(err)
	}
	gz, err := io.ReadAll(zr)
	if err != nil || string(gz) != text {
		t.Errorf("from gzip: %d bytes, error %v", len(gz), err)
	}
	if f := packed[0]; f.raw != len(text) || f.brotli != len(read(t, out, name+".br")) || f.gzip != len(read(t, out, name+".gz")) {
		t.Errorf("the sizes told are %d, %d, %d", f.raw, f.gzip, f.brotli)
	}
}

func TestPackKeepsOneVersion(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	path := filepath.Join(in, "style.css")
	write(t, out, ".gitignore", "*")
	write(t, out, "left-by-an-interrupted-run.br.part", "x")
	for _, text := range []string{"a { color: red }", "a { color: blue }"} {
		write(t, in, "style.css", text)
		if _, err := pack(out, []string{path}); err != nil {
			t.Fatal(err)
		}
	}
	hashed := manifest(t, out)["style.css"]
	want := []string{".gitignore", "manifest.json", hashed, hashed + ".br", hashed + ".gz"}
	if got := list(t, out); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

// Brotli at its hardest takes seconds for the WebAssembly, which a changed style sheet must not cost.
func TestPackDoesNotRepeatItself(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	path := filepath.Join(in, "ring.wasm")
	write(t, in, "ring.wasm", "\x00asm")
	first, err := pack(out, []string{path})
	if err != nil {
		t.Fatal(err)
	}
	twin := filepath.Join(out, first[0].hashed+".br")
	long := time.Unix(1_000_000_000, 0)
	if err := os.Chtimes(twin, long, long); err != nil {
		t.Fatal(err)
	}
	again, err := pack(out, []string{path})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(twin); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("the twin was written again (%v)", err)
	}
	if first[0] != again[0] {
		t.Errorf("the second run tells %+v, the first %+v", again[0], first[0])
	}
}

func TestPackRefuses(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	write(t, one, "a.js", "1")
	write(t, two, "a.js", "2")
	for _, c := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"a file that is not there", []string{filepath.Join(one, "b.js")}, "no such file"},
		{"two files of one name", []string{filepath.Join(one, "a.js"), filepath.Join(two, "a.js")}, "another file of the name a.js"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := t.TempDir()
			_, err := pack(out, c.paths)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
			if _, err := os.Stat(filepath.Join(out, "manifest.json")); err == nil {
				t.Error("a manifest was written all the same")
			}
		})
	}
}

func TestReportAddsUp(t *testing.T) {
	var b bytes.Buffer
	err := report(&b, []file{{hashed: "a-1.js", raw: 1000, gzip: 200, brotli: 100}, {hashed: "b-2.css", raw: 30, gzip: 20, brotli: 10}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"raw gzip brotli file", "1000 200 100 a-1.js", "30 20 10 b-2.css", "1030 220 110 in all"}
	for i, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		if got := strings.Join(strings.Fields(line), " "); got != want[i] {
			t.Errorf("line %d is %q, want %q", i, got, want[i])
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func manifest(t *testing.T, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	if err := json.Unmarshal([]byte(read(t, dir, "manifest.json")), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}
