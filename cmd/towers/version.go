package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"

	"github.com/ringoftowers/towers/web"
)

type versionCommand struct{}

// Run prints what somebody would want to know who is told of a fault.
func (versionCommand) Run(env environment) error {
	wasm, err := wasmSize()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.stdout, "towers     %s\nGo         %s %s/%s\nring.wasm  %s\n",
		version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, wasm)
	return err
}

// version is the module's version as the toolchain recorded it: a tag, or the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "of unknown version"
	}
	return info.Main.Version
}

// wasmSize says how long the WebAssembly is, and how much of that a browser has to fetch.
func wasmSize() (string, error) {
	built, err := web.Dist()
	if err != nil {
		return "", err
	}
	assets, err := web.LoadAssets(built)
	if errors.Is(err, web.ErrNotBuilt) {
		return "not built", nil
	}
	if err != nil {
		return "", err
	}
	name := path.Base(assets.URL("ring.wasm"))
	whole, err := fs.Stat(built, name)
	if err != nil {
		return "", fmt.Errorf("measure the WebAssembly: %w", err)
	}
	sent, err := fs.Stat(built, name+".br")
	if err != nil {
		return "", fmt.Errorf("measure the WebAssembly: %w", err)
	}
	return fmt.Sprintf("%d bytes, %d in brotli", whole.Size(), sent.Size()), nil
}
