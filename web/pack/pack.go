package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/andybalholm/brotli"
)

// digits is how much of the hash stands in a name: 48 bits, so that among the few files that
// a name ever had no two are likely to meet.
const digits = 12

// A file is one input and what became of it.
type file struct {
	name              string // as it came: ring.wasm
	hashed            string // as it is served: ring-0123456789ab.wasm
	raw, gzip, brotli int    // bytes
}

// pack fills the folder out and gives what it wrote, in the order of the paths.
func pack(out string, paths []string) ([]file, error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	wanted := map[string]bool{".gitignore": true, "manifest.json": true}
	manifest := map[string]string{}
	var packed []file
	for _, path := range paths {
		f, err := packOne(out, path)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", path, err)
		}
		if manifest[f.name] != "" {
			return nil, fmt.Errorf("pack %s: there is another file of the name %s", path, f.name)
		}
		manifest[f.name] = f.hashed
		for _, ext := range []string{"", ".br", ".gz"} {
			wanted[f.hashed+ext] = true
		}
		packed = append(packed, f)
	}
	if err := sweep(out, wanted); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	// The manifest comes last: who sees it may rely on all that it names.
	return packed, replace(filepath.Join(out, "manifest.json"), append(text, '\n'))
}

// packOne writes one file and its compressed twins.
func packOne(out, path string) (file, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	f := file{name: filepath.Base(path), raw: len(content)}
	f.hashed = hashedName(f.name, content)
	target := filepath.Join(out, f.hashed)
	if err := keepOr(target, func() ([]byte, error) { return content, nil }, nil); err != nil {
		return file{}, err
	}
	err = keepOr(target+".br", func() ([]byte, error) { return squeezeBrotli(content) }, &f.brotli)
	if err != nil {
		return file{}, err
	}
	err = keepOr(target+".gz", func() ([]byte, error) { return squeezeGzip(content) }, &f.gzip)
	return f, err
}

// hashedName puts the beginning of the content's SHA-256 before the extension.
func hashedName(name string, content []byte) string {
	sum := sha256.Sum256(content)
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:])[:digits] + ext
}

// keepOr writes what content gives to path unless the file is there: its name tells its
// content, so what is there is right. The file's length goes to size where that is not nil.
func keepOr(path string, content func() ([]byte, error), size *int) error {
	info, err := os.Stat(path)
	if err == nil {
		if size != nil {
			*size = int(info.Size())
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	b, err := content()
	if err != nil {
		return err
	}
	if size != nil {
		*size = len(b)
	}
	return replace(path, b)
}

// replace writes a file so that it is there whole or not at all.
func replace(path string, content []byte) error {
	// A run that was cut short leaves such a file; the next one's sweep takes it.
	part := path + ".part"
	if err := os.WriteFile(part, content, 0o644); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// sweep removes from the folder what is not wanted. Folders in it stay.
func sweep(out string, wanted map[string]bool) error {
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || wanted[e.Name()] {
			continue
		}
		if err := os.Remove(filepath.Join(out, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func squeezeBrotli(content []byte) ([]byte, error) {
	var b bytes.Buffer
	return squeeze(&b, brotli.NewWriterLevel(&b, brotli.BestCompression), content)
}

func squeezeGzip(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	return squeeze(&b, w, content)
}

// squeeze sends content through w, which writes to b, and gives what arrived there.
func squeeze(b *bytes.Buffer, w io.WriteCloser, content []byte) ([]byte, error) {
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// report prints a table of what each file weighs, in bytes.
func report(w io.Writer, packed []file) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "raw\tgzip\tbrotli\t  file\t")
	sum := file{hashed: "in all"}
	for _, f := range packed {
		fmt.Fprintf(t, "%d\t%d\t%d\t  %s\t\n", f.raw, f.gzip, f.brotli, f.hashed)
		sum.raw, sum.gzip, sum.brotli = sum.raw+f.raw, sum.gzip+f.gzip, sum.brotli+f.brotli
	}
	fmt.Fprintf(t, "%d\t%d\t%d\t  %s\t\n", sum.raw, sum.gzip, sum.brotli, sum.hashed)
	return t.Flush()
}
