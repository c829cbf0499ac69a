package web

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

//go:embed all:dist
var dist embed.FS

// Dist is the folder of built files: each under its hashed name, beside it the same file
// compressed as name.br and name.gz, and manifest.json, which says what the hashed names are.
func Dist() (fs.FS, error) {
	return fs.Sub(dist, "dist")
}

// ErrNotBuilt says that the binary was compiled without its built files.
var ErrNotBuilt = errors.New("the built assets are missing: build with make, not with go build alone")

// Assets knows the address of every built file.
type Assets struct {
	hashed map[string]string
}

// LoadAssets reads the manifest of a folder of built files.
func LoadAssets(built fs.FS) (Assets, error) {
	text, err := fs.ReadFile(built, "manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return Assets{}, ErrNotBuilt
	}
	if err != nil {
		return Assets{}, fmt.Errorf("read the manifest of assets: %w", err)
	}
	a := Assets{}
	if err := json.Unmarshal(text, &a.hashed); err != nil {
		return Assets{}, fmt.Errorf("read the manifest of assets: %w", err)
	}
	return a, nil
}

// URL is the address of the built file that was called name before its content was hashed,
// such as "ring.wasm". A name that was not built gives an address that answers 404, which a
// test of the whole page notices.
func (a Assets) URL(name string) string {
	hashed, ok := a.hashed[name]
	if !ok {
		hashed = name
	}
	return "/static/" + hashed
}

// Names are the hashed names of all built files, in no order.
func (a Assets) Names() []string { return slices.Collect(maps.Values(a.hashed)) }
