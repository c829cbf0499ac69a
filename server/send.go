package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// smallest is the length in bytes from which compressing a page is worth the time: what is
// shorter travels in one packet either way.
const smallest = 1000

// send answers with a body that was made for this request: compressed as the browser likes,
// and not sent at all if the browser has it already.
func send(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) error {
	encoding := identity
	if len(body) >= smallest {
		encoding = negotiate(r.Header.Get("Accept-Encoding"), brotliCoding, gzipCoding)
	}
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	switch {
	case h.Get("Cache-Control") == "no-store":
	case status == http.StatusOK:
		sum := sha256.Sum256(body)
		tag := etag(hex.EncodeToString(sum[:8]), encoding)
		// The page may be another at the next look, and is one reader's: whoever asked may keep
		// it, but has to ask before showing it again.
		h.Set("Cache-Control", "private, no-cache")
		h.Set("ETag", tag)
		if hasAlready(r, tag) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	default:
		h.Set("Cache-Control", "no-store")
	}
	body, err := compress(body, encoding)
	if err != nil {
		return fmt.Errorf("compress the answer with %s: %w", encoding, err)
	}
	h.Set("Content-Type", contentType)
	write(w, r, status, encoding, body)
	return nil
}

// write sends a body that is encoded already. That the client went away in the middle is no
// error: there is nobody left to tell.
func write(w http.ResponseWriter, r *http.Request, status int, encoding string, body []byte) {
	h := w.Header()
	if encoding != identity {
		h.Set("Content-Encoding", encoding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// compress does quickly what is done for each request: about 2 ms for a page of 150 KB.
func compress(body []byte, encoding string) ([]byte, error) {
	var b bytes.Buffer
	var z io.WriteCloser
	switch encoding {
	case brotliCoding:
		// A window of 256 KB spans a whole page; the usual 4 MB would only cost memory.
		z = brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: 4, LGWin: 18})
	case gzipCoding:
		z = gzip.NewWriter(&b)
	default:
		return body, nil
	}
	if _, err := z.Write(body); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// etag names one content in one encoding: two encodings are two things to a cache.
func etag(content, encoding string) string {
	if encoding == identity {
		return `"` + content + `"`
	}
	return `"` + content + "-" + encoding + `"`
}

// hasAlready says whether the browser holds what tag names.
func hasAlready(r *http.Request, tag string) bool {
	for _, header := range r.Header.Values("If-None-Match") {
		for known := range strings.SplitSeq(header, ",") {
			known = strings.TrimSpace(known)
			// A proxy that changed the bytes on the way marks the tag as weak; the content
			// is the same nevertheless.
			if known == "*" || strings.TrimPrefix(known, "W/") == tag {
				return true
			}
		}
	}
	return false
}
