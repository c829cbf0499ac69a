package server

import "testing"

func TestStaticForms(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, c := range []struct{ target, accept, body, encoding, tag, contentType string }{
		{"/static/ring-00.wasm", "", "plain ring-00.wasm", "", `"ring-00.wasm"`, "application/wasm"},
		{"/static/ring-00.wasm", "gzip, br", "brotli ring-00.wasm", "br", `"ring-00.wasm-br"`, "application/wasm"},
		{"/static/ring-00.wasm", "gzip", "gzip ring-00.wasm", "gzip", `"ring-00.wasm-gzip"`, "application/wasm"},
		{"/static/lesson-11.js", "br", "brotli lesson-11.js", "br", `"lesson-11.js-br"`, "text/javascript; charset=utf-8"},
		{"/static/style-44.css", "br;q=0", "plain style-44.css", "", `"style-44.css"`, "text/css; charset=utf-8"},
		{"/static/mark-55.svg", "gzip, br", "gzip mark-55.svg", "gzip", `"mark-55.svg-gzip"`, "image/svg+xml"},
		{"/static/notes-66.bin", "zstd", "plain notes-66.bin", "", `"notes-66.bin"`, "application/octet-stream"},
	} {
		w := ask(s, "GET", c.target, "Accept-Encoding: "+c.accept)
		if w.Code != 200 || w.Body.String() != c.body {
			t.Errorf("%s for %q: status %d, %q; want %q", c.target, c.accept, w.Code, w.Body, c.body)
		}
		for name, want := range map[string]string{
			"Content-Encoding": c.encoding, "Etag": c.tag, "Content-Type": c.contentType, "Vary": "Accept-Encoding",
			"Cache-Control": "public, max-age=31536000, immutable",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s for %q: %s is %q, want %q", c.target, c.accept, name, got, want)
			}
		}
		again := ask(s, "GET", c.target, "Accept-Encoding: "+c.accept, "If-None-Match: "+c.tag)
		if again.Code != 304 || again.Body.Len() > 0 || again.Header().Get("Etag") != c.tag || again.Header().Get("Vary") == "" {
			t.Errorf("%s once more: status %d, %d bytes, headers %v; want 304 with its tag", c.target, again.Code, again.Body.Len(), again.Header())
		}
	}
}

// What is stored is not all served: the twins have no address of their own, nor has the manifest.
func TestStaticKnowsOnlyHashedNames(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, name := range []string{"manifest.json", "style.css", "style-44.css.br", "style-44.css.gz", ".gitignore", "%2e%2e%2fmanifest.json", ""} {
		if w := ask(s, "GET", "/static/"+name); w.Code != 404 {
			t.Errorf("/static/%s has status %d", name, w.Code)
		}
	}
}

// A hashed name is for ever, but the icon's old address is not one.
func TestFaviconMayChange(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	if got := ask(s, "GET", "/favicon.ico").Header().Get("Cache-Control"); got != "public, max-age=86400" {
		t.Errorf("Cache-Control is %q", got)
	}
}
