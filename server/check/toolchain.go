package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

//go:embed guest/host/*.go guest/testing/*.go
var guest embed.FS

const (
	oldestGo    = "go1.26.2" // earlier releases miscompile some hostile programs
	hostPackage = "github.com/ringoftowers/towers/server/check/guest/host"
)

// toolNames are the parts of a toolchain that build a program, in GOTOOLDIR.
var toolNames = [...]string{"compile", "link"}

// ErrNoToolchain is matched by the error of New when there is no Go toolchain to check with. The
// error's text is one line that says what to do; everything but checking works without.
var ErrNoToolchain = errors.New("checking is off")

// toolchain is a Go toolchain with the standard library compiled for wasip1 beside it.
type toolchain struct {
	version string            // as "go1.26.8"
	compile string            // path of the compiler
	link    string            // path of the linker
	dir     string            // holds the compiled packages
	std     map[string]string // import path → file name in dir
	key     string            // identifies all of the above
}

// goEnv is what we ask the go command at start.
type goEnv struct {
	GOROOT, GOTOOLDIR, GOVERSION, GOCACHE string
}

// findToolchain asks the go command named goCommand where its parts are.
func findToolchain(ctx context.Context, goCommand string) (goEnv, error) {
	var env goEnv
	cmd := exec.CommandContext(ctx, goCommand, "env", "-json", "GOROOT", "GOTOOLDIR", "GOVERSION", "GOCACHE")
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return env, fmt.Errorf("%w: there is no go command on the PATH; install Go %s or newer from https://go.dev/dl", ErrNoToolchain, oldestGo[2:])
	}
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	if err != nil {
		return env, fmt.Errorf("%w: %s env does not answer: %w", ErrNoToolchain, goCommand, err)
	}
	// A release built with experiments calls itself "go1.26.8 X:name".
	release, _, _ := strings.Cut(env.GOVERSION, " ")
	if version.Compare(release, oldestGo) < 0 {
		return env, fmt.Errorf("%w: Go %s or newer is needed and %s is %s; update it from https://go.dev/dl",
			ErrNoToolchain, oldestGo[2:], goCommand, env.GOVERSION)
	}
	for _, tool := range toolNames {
		if !exists(filepath.Join(env.GOTOOLDIR, tool+exeSuffix)) {
			return env, fmt.Errorf("%w: the Go toolchain in %s has no %s tool; install it anew from https://go.dev/dl", ErrNoToolchain, env.GOTOOLDIR, tool)
		}
	}
	return env, nil
}

// prepareToolchain finds the toolchain and makes sure that dataDir holds the standard library
// compiled for wasip1, which takes up to a minute the first time and milliseconds after. Two
// processes may prepare the same folder at once: the first to finish wins.
func prepareToolchain(ctx context.Context, goCommand, dataDir string, progress func(string)) (*toolchain, error) {
	env, err := findToolchain(ctx, goCommand)
	if err != nil {
		return nil, err
	}
	key, err := toolchainKey(env)
	if err != nil {
		return nil, err
	}
	t := &toolchain{
		version: env.GOVERSION,
		compile: filepath.Join(env.GOTOOLDIR, "compile"+exeSuffix),
		link:    filepath.Join(env.GOTOOLDIR, "link"+exeSuffix),
		dir:     filepath.Join(dataDir, "toolchain", key),
		key:     key,
	}
	if t.load() == nil {
		return t, nil
	}
	progress("compiling the standard library for WebAssembly with " + env.GOVERSION + " (once)")
	if err := t.build(ctx, goCommand, env, dataDir); err != nil {
		return nil, fmt.Errorf("prepare the standard library: %w", err)
	}
	progress("the standard library is ready")
	return t, t.load()
}

// toolchainKey names a prepared folder after everything that its content depends on.
func toolchainKey(env goEnv) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, env.GOVERSION, env.GOTOOLDIR, strings.Join(KnownImports(), " "))
	// The tools' sizes and times stand for their content: a toolchain rebuilt in place, as those who
	// work on Go do, gets a new key.
	for _, tool := range toolNames {
		info, err := os.Stat(filepath.Join(env.GOTOOLDIR, tool+exeSuffix))
		if err != nil {
			return "", fmt.Errorf("look at the toolchain: %w", err)
		}
		fmt.Fprintln(h, tool, info.Size(), info.ModTime().UnixNano())
	}
	err := fs.WalkDir(guest, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := guest.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the embedded harness: %w", err)
	}
	release, _, _ := strings.Cut(env.GOVERSION, " ")
	return release + "-" + hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// indexFile is written last into a prepared folder and lists its packages.
const indexFile = "index.json"

func (t *toolchain) load() error {
	text, err := os.ReadFile(filepath.Join(t.dir, indexFile))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &t.std)
}

// preparingPrefix begins the name of a folder that is being prepared.
const preparingPrefix = "preparing-"

// build compiles into a new folder beside t.dir and renames it when it is whole.
func (t *toolchain) build(ctx context.Context, goCommand string, env goEnv, dataDir string) (err error) {
	parent := filepath.Dir(t.dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(parent, preparingPrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	exports, err := listExports(ctx, goCommand, env, dataDir)
	if err != nil {
		return err
	}
	std, err := copyExports(dir, exports)
	if err != nil {
		return err
	}
	for _, p := range []struct{ name, sources string }{
		{hostPackage, "guest/host"}, {"testing", "guest/testing"},
	} {
		std[p.name] = "towers-" + path.Base(p.name) + ".a"
		if err := t.compileGuest(ctx, dir, p.name, p.sources, std); err != nil {
			return err
		}
	}
	if err := writeIndex(dir, std); err != nil {
		return err
	}
	// Another process may have been first, and what it made is as good.
	if err := os.Rename(dir, t.dir); err != nil && t.load() != nil {
		return err
	}
	return nil
}

// copyExports copies compiled packages into dir and returns the file names that they have there.
func copyExports(dir string, exports map[string]string) (map[string]string, error) {
	std := make(map[string]string, len(exports))
	for name, from := range exports {
		std[name] = strings.ReplaceAll(name, "/", "-") + ".a"
		if err := copyFile(filepath.Join(dir, std[name]), from); err != nil {
			return nil, err
		}
	}
	return std, nil
}

// writeIndex makes dir a prepared folder.
func writeIndex(dir string, std map[string]string) error {
	index, err := json.Marshal(std)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, indexFile), index, 0o644)
}

// listExports lets the go command compile every package that an exercise may need and returns
// where its build cache holds each.
func listExports(ctx context.Context, goCommand string, env goEnv, dataDir string) (map[string]string, error) {
	args := []string{"list", "-export", "-deps", "-trimpath", "-f", "{{.ImportPath}}\t{{.Export}}", "runtime/debug"}
	for _, name := range KnownImports() {
		if name != "testing" { // ours takes its place
			args = append(args, name)
		}
	}
	// The go command may have chosen another release for the folder we are in; its own go command
	// is then the one that fits the compiler.
	if own := filepath.Join(env.GOROOT, "bin", "go"+exeSuffix); exists(own) {
		goCommand = own
	}
	cmd := exec.CommandContext(ctx, goCommand, args...)
	cmd.Dir = env.GOROOT
	// The tools will run without an environment, so nothing may be compiled by the user's settings.
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off", "GOENV=off",
		"GOEXPERIMENT=", "GOWASM=", "CGO_ENABLED=0", "GOTOOLCHAIN=local")
	if env.GOCACHE == "" || env.GOCACHE == "off" {
		cmd.Env = append(cmd.Env, "GOCACHE="+filepath.Join(dataDir, "gocache"))
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if file != "" {
			exports[name] = file
		}
	}
	return exports, nil
}

// compileGuest compiles one package of the harness with the packages made so far.
func (t *toolchain) compileGuest(ctx context.Context, dir, name, sources string, std map[string]string) error {
	work, err := os.MkdirTemp(dir, "guest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	files, err := fs.Glob(guest, sources+"/*.go")
	if err != nil {
		return err
	}
	config := filepath.Join(work, "importcfg")
	if err := os.WriteFile(config, importConfig(dir, std, nil), 0o644); err != nil {
		return err
	}
	args := []string{"-o", filepath.Join(dir, std[name]), "-p", name, "-pack", "-trimpath", work + "=>", "-importcfg", config}
	for _, file := range files {
		text, err := guest.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, path.Base(file)), text, 0o644); err != nil {
			return err
		}
		args = append(args, filepath.Join(work, path.Base(file)))
	}
	cmd := exec.CommandContext(ctx, t.compile, args...)
	cmd.Env = []string{"GOOS=wasip1", "GOARCH=wasm"}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compile %s: %w: %s", name, err, out)
	}
	return nil
}

// importConfig is the file that tells compile and link where each package is.
func importConfig(dir string, std, more map[string]string) []byte {
	var b bytes.Buffer
	for name, file := range std {
		fmt.Fprintf(&b, "packagefile %s=%s\n", name, filepath.Join(dir, file))
	}
	for name, file := range more {
		fmt.Fprintf(&b, "packagefile %s=%s\n", name, file)
	}
	return b.Bytes()
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func copyFile(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
