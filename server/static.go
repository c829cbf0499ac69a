package server

import (
	"fmt"
	"io/fs"
	"net/http"
	"path"

	"github.com/ringoftowers/towers/web"
)

// A file is one built file in all the forms in which it is stored.
type file struct {
	contentType string
	forms       map[string][]byte // by content coding; identity is always there
	codings     []string          // those besides identity, the best first
}

// loadFiles reads every file that the manifest names, with its compressed twins. A twin that is
// missing is only missed; a file that is missing is an error, since a page would ask for it.
func loadFiles(built fs.FS, assets web.Assets) (map[string]file, error) {
	files := make(map[string]file)
	for _, name := range assets.Names() {
		var err error
		f := file{contentType: contentType(name), forms: map[string][]byte{}}
		if f.forms[identity], err = fs.ReadFile(built, name); err != nil {
			return nil, fmt.Errorf("read a built file: %w", err)
		}
		for _, twin := range []struct{ coding, ext string }{{brotliCoding, ".br"}, {gzipCoding, ".gz"}} {
			if b, err := fs.ReadFile(built, name+twin.ext); err == nil {
				f.forms[twin.coding] = b
				f.codings = append(f.codings, twin.coding)
			}
		}
		files[name] = f
	}
	return files, nil
}

// contentType knows the kinds of file that the build makes. The system's own table is not asked:
// it differs from machine to machine, and a browser refuses WebAssembly and modules of a wrong type.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}

// static sends a built file by its hashed name. The name tells the content, so a browser may
// keep it for ever without asking again.
func (s *Server) static(w http.ResponseWriter, r *http.Request) error {
	name := param(r, "file")
	f, ok := s.files[name]
	if !ok {
		return &noPageError{path: r.URL.Path}
	}
	return f.send(w, r, name, "public, max-age=31536000, immutable")
}

// favicon answers browsers that ask for the icon by its old address, whatever the page says.
func (s *Server) favicon(w http.ResponseWriter, r *http.Request) error {
	name := path.Base(s.assets.URL("mark.svg"))
	f, ok := s.files[name]
	if !ok {
		return &noPageError{path: r.URL.Path}
	}
	// This name has no hash, so the icon may change under it.
	return f.send(w, r, name, "public, max-age=86400")
}

// send sends the form that suits the browser best.
func (f file) send(w http.ResponseWriter, r *http.Request, name, caching string) error {
	encoding := negotiate(r.Header.Get("Accept-Encoding"), f.codings...)
	tag := etag(name, encoding)
	h := w.Header()
	h.Set("Cache-Control", caching)
	h.Set("ETag", tag)
	h.Add("Vary", "Accept-Encoding")
	if hasAlready(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", f.contentType)
	write(w, r, http.StatusOK, encoding, f.forms[encoding])
	return nil
}

// missing lists the files without which pages do not work and that the build did not leave.
func (s *Server) missing() []string {
	var names []string
	for _, name := range []string{"style.css", "index.js", "lesson.js", "ring-worker.js", "ring.wasm", "mark.svg"} {
		if _, ok := s.files[path.Base(s.assets.URL(name))]; !ok {
			names = append(names, name)
		}
	}
	return names
}
