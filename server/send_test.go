package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/ringoftowers/towers/lessons"
)

func TestPagesAreCompressedOnTheWay(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	whole := ask(s, "GET", "/lessons/03-the-ring").Body.String()
	tags := map[string]bool{}
	for encoding, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		w := ask(s, "GET", "/lessons/03-the-ring", "Accept-Encoding: "+encoding)
		h := w.Header()
		if h.Get("Content-Encoding") != encoding || strings.Join(h.Values("Vary"), ", ") != "Cookie, Accept-Encoding" || h.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("for %q the headers are %v", encoding, h)
		}
		if got := h.Get("Content-Length"); got != fmt.Sprint(w.Body.Len()) {
			t.Errorf("for %q Content-Length is %s, with %d bytes sent", encoding, got, w.Body.Len())
		}
		if encoding != "" && w.Body.Len() > len(whole)/2 {
			t.Errorf("for %q: %d bytes of %d", encoding, w.Body.Len(), len(whole))
		}
		r, err := unpack(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r); err != nil || string(b) != whole {
			t.Errorf("for %q the page is another one (error %v)", encoding, err)
		}
		tags[h.Get("Etag")] = true
	}
	if len(tags) != 3 {
		t.Errorf("three forms have the tags %v", tags)
	}
}

func TestShortAnswersAreNotCompressed(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	if got := ask(s, "GET", "/healthz", "Accept-Encoding: br").Header().Get("Content-Encoding"); got != "" {
		t.Errorf("encoded with %q", got)
	}
}

func TestPageThatTheBrowserHas(t *testing.T) {
	title := "The ring"
	changing := library(func(context.Context) (*lessons.Course, error) {
		return &lessons.Course{Lessons: []*lessons.Lesson{{Name: "03-the-ring", Number: 3, Title: title}}}, nil
	})
	s, _ := mustNew(t, changing, built())
	tag := ask(s, "GET", "/lessons/03-the-ring").Header().Get("Etag")
	for _, c := range []struct {
		known string
		want  int
	}{
		{tag, 304}, {"W/" + tag, 304}, {`"other", ` + tag, 304}, {"*", 304},
		{`"other"`, 200}, {strings.Trim(tag, `"`), 200}, {"", 200}, {strings.TrimSuffix(tag, `"`) + `-br"`, 200},
	} {
		w := ask(s, "GET", "/lessons/03-the-ring", "If-None-Match: "+c.known)
		if w.Code != c.want {
			t.Errorf("for %s: status %d, want %d", c.known, w.Code, c.want)
		}
		if w.Code == 304 && (w.Body.Len() > 0 || w.Header().Get("Etag") != tag || w.Header().Get("Content-Type") != "") {
			t.Errorf("for %s: %d bytes, headers %v", c.known, w.Body.Len(), w.Header())
		}
	}
	title = "The circle"
	if w := ask(s, "GET", "/lessons/03-the-ring", "If-None-Match: "+tag); w.Code != 200 || !strings.Contains(w.Body.String(), title) {
		t.Errorf("after the lesson was saved: status %d", w.Code)
	}
}

func TestReadersOwnLight(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	plain := ask(s, "GET", "/")
	for cookie, want := range map[string]bool{"theme=dark": true, "theme=light": true, "theme=%22onload": false, "": false} {
		w := ask(s, "GET", "/", "Cookie: "+cookie)
		if chosen := w.Header().Get("Etag") != plain.Header().Get("Etag"); chosen != want {
			t.Errorf("with the cookie %q the page is another one: %v, want %v", cookie, chosen, want)
		}
	}
}

func BenchmarkCompressPage(b *testing.B) {
	// A lesson with its pictures is about this long and about as repetitive.
	var page bytes.Buffer
	for i := 0; page.Len() < 150_000; i++ {
		fmt.Fprintf(&page, `<path class="t%d" d="M%d %dA272 272 0 0 1 %d %d"/>`, i%5, i*7919%720, i*104729%720, i*31%720, i*17%720)
	}
	for _, encoding := range []string{brotliCoding, gzipCoding} {
		b.Run(encoding, func(b *testing.B) {
			b.SetBytes(int64(page.Len()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := compress(page.Bytes(), encoding); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
