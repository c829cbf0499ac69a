package main_test

import (
	"context"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/ringoftowers/towers/ring"
	"github.com/ringoftowers/towers/ring/census"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"pgregory.net/rapid"
)

// The browser's arithmetic is the native one: the same random changes, thousands of them, go
// through ring.wasm in wazero and through the packages that it is made of.
func TestReactorAgreesWithNativePackage(t *testing.T) {
	m := load(t)
	hashes := []ring.Hash{ring.Mixed, ring.FNV1a, ring.MD5, ring.XX}
	changes := 0
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.IntRange(0, 400).Draw(t, "letters")
		which := rapid.IntRange(0, len(hashes)-1).Draw(t, "hash")
		seed := rapid.SampledFrom([]string{"", "seed/", "ключ-"}).Draw(t, "seed")
		native := census.New(letters, seed, hashes[which])
		m.start(t, letters, which, seed)
		after := drawFleet(t, "first")
		for range 40 {
			before := after
			after = drawFleet(t, "after")
			points := rapid.IntRange(1, 60).Draw(t, "points")
			native.Change(before, after, points)
			m.compare(t, native, before, after, points)
			changes++
		}
	})
	if changes < 4000 {
		t.Errorf("only %d changes were compared, want at least 4000", changes)
	}
}

// The figures that the lessons promise come out of the module, too.
func TestReactorGivesLessonFigures(t *testing.T) {
	m := load(t)
	m.start(t, 2000, 0, "")
	four, five := []int{1, 2, 3, 4}, []int{1, 2, 3, 4, 5}
	got := m.change(t, four, five, 100)
	moved := []uint32{got[1], got[5]}
	if want := []uint32{432, 1615}; got[0] != 2000 || !slices.Equal(moved, want) {
		t.Errorf("%d letters, %v moved on the ring and under modulo; want 2000, %v", got[0], moved, want)
	}
	if loads := m.change(t, four, four, 1)[7:]; slices.Max(loads) != 784 || slices.Min(loads) != 126 {
		t.Errorf("loads with one point a tower: %v, want 784 at most and 126 at least", loads)
	}
}

// A host that sends nonsense gets an answer of the clamped request, not a trap.
func TestReactorClampsNonsense(t *testing.T) {
	m := load(t)
	for _, name := range []string{"arcs", "ticks", "flows"} {
		if n := m.read(t, m.call(t, name, 7), 1)[0]; n != 0 {
			t.Errorf("before there are letters %s gives %d", name, n)
		}
	}
	m.start(t, 10, 99, "")
	for _, args := range [][]uint64{{0, 0, 0}, {0, 0, 1 << 31}, {1, 1, 1_000_000}} {
		copy(m.inbox(t, 8), []byte{1, 0, 0, 0, 1, 0, 0, 0})
		if got := m.read(t, m.call(t, "change", args...), 1); got[0] != 10 {
			t.Errorf("change%v answers for %d letters, want 10", args, got[0])
		}
	}
	m.call(t, "sample", 77, 5)
	m.call(t, "flows", 9)
	m.call(t, "arcs", 0)
	m.call(t, "ticks", 0)
}

func drawFleet(t *rapid.T, label string) []int {
	return rapid.SliceOfNDistinct(rapid.IntRange(1, 20), 0, 9, rapid.ID[int]).Draw(t, label)
}

// reactor is ring.wasm, instantiated.
type reactor struct {
	ctx    context.Context
	module api.Module
}

func load(t *testing.T) reactor {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	t.Cleanup(func() { _ = runtime.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	binary, err := os.ReadFile(build(t))
	if err != nil {
		t.Fatal(err)
	}
	module, err := runtime.InstantiateWithConfig(ctx, binary, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	return reactor{ctx, module}
}

func build(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "ring.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", out, ".")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build ring.wasm: %v\n%s", err, text)
	}
	return out
}

// failer is what *testing.T and *rapid.T share.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func (m reactor) call(t failer, name string, args ...uint64) uint32 {
	t.Helper()
	results, err := m.module.ExportedFunction(name).Call(m.ctx, args...)
	if err != nil {
		t.Fatalf("%s%v: %v", name, args, err)
	}
	if len(results) == 0 {
		return 0
	}
	return uint32(results[0])
}

func (m reactor) inbox(t failer, size int) []byte {
	t.Helper()
	bytes, ok := m.module.Memory().Read(m.call(t, "inbox"), uint32(size))
	if !ok {
		t.Fatalf("the inbox has no room for %d bytes", size)
	}
	return bytes
}

func (m reactor) read(t failer, at uint32, n int) []uint32 {
	t.Helper()
	bytes, ok := m.module.Memory().Read(at, uint32(4*n))
	if !ok {
		t.Fatalf("%d numbers at %#x are outside the memory", n, at)
	}
	numbers := make([]uint32, n)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32(bytes[4*i:])
	}
	return numbers
}

// list reads a count and that many groups of width numbers.
func (m reactor) list(t failer, at uint32, width int) []uint32 {
	t.Helper()
	n := m.read(t, at, 1)[0]
	return m.read(t, at+4, int(n)*width)
}

func (m reactor) start(t failer, letters, hash int, seed string) {
	t.Helper()
	copy(m.inbox(t, len(seed)), seed)
	m.call(t, "start", uint64(letters), uint64(hash), uint64(len(seed)))
}

func (m reactor) change(t failer, before, after []int, points int) []uint32 {
	t.Helper()
	in := m.inbox(t, 4*(len(before)+len(after)))
	for i, tower := range slices.Concat(before, after) {
		binary.LittleEndian.PutUint32(in[4*i:], uint32(tower))
	}
	at := m.call(t, "change", uint64(len(before)), uint64(len(after)), uint64(points))
	return m.read(t, at, 7+len(after))
}

// compare asks for one change and holds every answer against the native census.
func (m reactor) compare(t failer, native *census.Census, before, after []int, points int) {
	t.Helper()
	want := []uint32{uint32(native.Letters())}
	for _, rule := range []census.Rule{census.OnRing, census.Rendezvous, census.Modulo} {
		want = append(want, uint32(native.Tally(rule).Moved), uint32(native.Tally(rule).Needless))
	}
	for _, n := range native.Loads() {
		want = append(want, uint32(n))
	}
	same(t, "change", m.change(t, before, after, points), want)

	want = want[:0]
	for _, a := range native.AppendArcs(nil, 64) {
		want = append(want, a.From, a.To, uint32(a.Tower))
	}
	same(t, "arcs", m.list(t, m.call(t, "arcs", 64), 3), want)

	want = want[:0]
	for _, tick := range native.AppendTicks(nil, 64) {
		want = append(want, tick.Position, uint32(tick.Tower))
	}
	same(t, "ticks", m.list(t, m.call(t, "ticks", 64), 2), want)

	for rule := range uint64(3) {
		want = want[:0]
		for _, l := range native.AppendSample(nil, census.Rule(rule), 50) {
			want = append(want, uint32(l.Rank), l.Position, uint32(l.Was), uint32(l.Is))
		}
		same(t, "sample "+strconv.FormatUint(rule, 10), m.list(t, m.call(t, "sample", rule, 50), 4), want)
		want = want[:0]
		for _, f := range native.AppendFlows(nil, census.Rule(rule)) {
			want = append(want, uint32(f.From), uint32(f.To), uint32(f.Letters))
		}
		same(t, "flows "+strconv.FormatUint(rule, 10), m.list(t, m.call(t, "flows", rule), 3), want)
	}
	for _, tower := range after {
		if got, want := m.call(t, "home", uint64(tower)), native.Home(tower); got != want {
			t.Fatalf("T-%d is at home at %d, want %d", tower, got, want)
		}
	}
}

func same(t failer, what string, got, want []uint32) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}
