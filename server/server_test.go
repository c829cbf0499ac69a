package server

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ringoftowers/towers/lessons"
	"github.com/ringoftowers/towers/web"
)

// library is a course that a test writes down, or the error in its place.
type library func(ctx context.Context) (*lessons.Course, error)

func (f library) Course(ctx context.Context) (*lessons.Course, error) { return f(ctx) }

func holding(ls ...*lessons.Lesson) library {
	return func(context.Context) (*lessons.Course, error) { return &lessons.Course{Lessons: ls}, nil }
}

// course is what most tests serve.
func course() library {
	return holding(
		&lessons.Lesson{Name: "02-modulo", Number: 2, Title: "Modulo", Level: lessons.Beginner},
		&lessons.Lesson{
			Name: "03-the-ring", Number: 3, Title: "The ring", Level: lessons.Beginner,
			Body:      []lessons.Block{lessons.HTML{Text: "<p>Put both on one circle.</p>"}},
			Exercises: []*lessons.Exercise{{ID: "owner", Number: 1, Title: "The owner"}},
		},
		&lessons.Lesson{Name: "04-virtual-nodes", Number: 4, Title: "Virtual nodes", Level: lessons.Middle},
	)
}

// built is what the build leaves, in small: one twin of the icon is missing.
func built() fstest.MapFS {
	fsys := fstest.MapFS{"manifest.json": {Data: []byte(`{
		"ring.wasm": "ring-00.wasm", "lesson.js": "lesson-11.js", "index.js": "index-22.js",
		"ring-worker.js": "ring-worker-33.js", "style.css": "style-44.css", "mark.svg": "mark-55.svg", "notes.bin": "notes-66.bin"}`)}}
	for _, name := range []string{
		"ring-00.wasm", "lesson-11.js", "index-22.js", "ring-worker-33.js", "style-44.css", "mark-55.svg", "notes-66.bin",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte("plain " + name)}
		fsys[name+".br"] = &fstest.MapFile{Data: []byte("brotli " + name)}
		fsys[name+".gz"] = &fstest.MapFile{Data: []byte("gzip " + name)}
	}
	delete(fsys, "mark-55.svg.br")
	return fsys
}

// mustNew makes a server and the buffer that its log goes to.
func mustNew(tb testing.TB, l Library, files fs.FS) (*Server, *bytes.Buffer) {
	tb.Helper()
	var log bytes.Buffer
	s, err := New(Config{Library: l, Built: files, Log: slog.New(slog.NewJSONHandler(&log, nil))})
	if err != nil {
		tb.Fatal(err)
	}
	return s, &log
}

// ask sends one request; headers come as "Name: value".
func ask(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRoutes(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, c := range []struct {
		method, target string
		status         int
		is, header     string // of a header, "Name: value"
	}{
		{"GET", "/", 200, "Virtual nodes", "Content-Type: text/html; charset=utf-8"},
		{"GET", "/lessons/03-the-ring", 200, "<p>Put both on one circle.</p>", "Content-Type: text/html; charset=utf-8"},
		{"GET", "/lessons/03-the-ring?from=mail", 200, "<p>Put both on one circle.</p>", ""},
		{"GET", "/lessons", 308, "", "Location: /"},
		{"GET", "/lessons/", 308, "", "Location: /"},
		{"GET", "/lessons/03-the-ring/", 308, "", "Location: /lessons/03-the-ring"},
		{"GET", "/lessons/%2Felsewhere.example/", 308, "", "Location: /lessons/%2Felsewhere.example"},
		{"GET", "/lessons/03-the-ring/exercises/owner", 302, "", "Location: /lessons/03-the-ring#exercise-owner"},
		{"GET", "/lessons/03-the-ring/exercises/ownr", 404, "no exercise here called “ownr”", ""},
		{"GET", "/lessons/03-the-rign/exercises/owner", 404, "no lesson here called “03-the-rign”", ""},
		{"GET", "/static/style-44.css", 200, "plain style-44.css", "Content-Type: text/css; charset=utf-8"},
		{"GET", "/favicon.ico", 200, "plain mark-55.svg", "Content-Type: image/svg+xml"},
		{"GET", "/robots.txt", 200, "User-agent: *", "Content-Type: text/plain; charset=utf-8"},
		{"GET", "/healthz", 200, "ok", "Content-Type: text/plain; charset=utf-8"},
		{"GET", "/readyz", 200, "ready", ""},
		{"GET", "/lessons/99-nowhere", 404, "99-nowhere", "Cache-Control: no-store"},
		{"GET", "/nowhere", 404, "no page", "Cache-Control: no-store"},
		{"GET", "/static/nothing.js", 404, "no page", "Cache-Control: no-store"},
		{"GET", "/static/../server.go", 404, "no page", ""},
		{"POST", "/", 405, "GET and HEAD, not POST", "Allow: GET, HEAD"},
		{"DELETE", "/lessons/03-the-ring", 405, "not DELETE", "Allow: GET, HEAD"},
		{"POST", "/lessons/a%2Fb", 405, "GET and HEAD, not POST", "Allow: GET, HEAD"},
		{"BREW", "/", 405, "not BREW", "Allow: GET, HEAD"},
	} {
		w := ask(s, c.method, c.target)
		if w.Code != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.target, w.Code, c.status)
		}
		if !strings.Contains(w.Body.String(), c.is) {
			t.Errorf("%s %s: no %q in\n%s", c.method, c.target, c.is, w.Body)
		}
		if name, value, ok := strings.Cut(c.header, ": "); ok && w.Header().Get(name) != value {
			t.Errorf("%s %s: %s is %q, want %q", c.method, c.target, name, w.Header().Get(name), value)
		}
	}
}

// HEAD tells all that GET tells, and sends nothing.
func TestHeadIsGetWithoutTheBody(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, target := range []string{"/", "/lessons/03-the-ring", "/static/ring-00.wasm", "/healthz", "/nowhere"} {
		for _, accept := range []string{"", "Accept-Encoding: br"} {
			get, head := ask(s, "GET", target, accept), ask(s, "HEAD", target, accept)
			if head.Body.Len() > 0 || head.Code != get.Code {
				t.Errorf("HEAD %s: status %d and %d bytes, GET has status %d", target, head.Code, head.Body.Len(), get.Code)
			}
			for name := range get.Header() {
				if name != "X-Request-Id" && head.Header().Get(name) != get.Header().Get(name) {
					t.Errorf("HEAD %s: %s is %q, for GET it is %q", target, name, head.Header().Get(name), get.Header().Get(name))
				}
			}
		}
	}
}

func TestNewRefuses(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for _, c := range []struct {
		name   string
		config Config
		is     error
		says   string
	}{
		{"no library", Config{Built: built(), Log: log}, nil, "a library"},
		{"nothing built", Config{Library: course(), Built: fstest.MapFS{}, Log: log}, web.ErrNotBuilt, ""},
		{"a broken manifest", Config{Library: course(), Built: fstest.MapFS{"manifest.json": {Data: []byte("{")}}, Log: log}, nil, "manifest"},
		{
			"a file that the manifest names is missing",
			Config{Library: course(), Built: fstest.MapFS{"manifest.json": {Data: []byte(`{"a.js":"a-1.js"}`)}}, Log: log}, fs.ErrNotExist, "a-1.js",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(c.config)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that is %v and says %q", err, c.is, c.says)
			}
		})
	}
}

func TestReadySaysWhatIsMissing(t *testing.T) {
	unbuilt := built()
	unbuilt["manifest.json"] = &fstest.MapFile{Data: []byte(`{"style.css": "style-44.css"}`)}
	for _, c := range []struct {
		name    string
		library library
		files   fs.FS
		want    string
	}{
		{"no lesson", holding(), built(), "the course has no lesson\n"},
		{"no course", func(context.Context) (*lessons.Course, error) { return nil, errors.New("the disk is gone") }, built(), "the course cannot be read: the disk is gone\n"},
		{"no scripts", course(), unbuilt, "built files are missing: index.js, lesson.js, ring-worker.js, ring.wasm, mark.svg\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := mustNew(t, c.library, c.files)
			if w := ask(s, "GET", "/readyz"); w.Code != 503 || w.Body.String() != c.want {
				t.Errorf("status %d, %q; want 503, %q", w.Code, w.Body, c.want)
			}
			if w := ask(s, "GET", "/healthz"); w.Code != 200 {
				t.Errorf("/healthz has status %d: the process itself is well", w.Code)
			}
		})
	}
}
