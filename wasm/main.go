//go:build wasip1

// Command wasm is ring.wasm: package ring for browsers, as a WASI reactor. The host writes
// numbers into the buffer that inbox names, calls an exported function, and reads numbers
// from the address that it returns. There is nothing else in it: no text, no JSON, no I/O.
//
// All addresses are offsets into the module's memory and stay valid until the next call.
// Numbers are little-endian uint32 unless said otherwise. A function that is given nonsense
// clamps it; the caller has already told the user what was wrong. Before start there are no
// letters.
package main

import (
	"unsafe"

	"github.com/ringoftowers/towers/ring"
	"github.com/ringoftowers/towers/ring/census"
)

// board is everything between two calls. Exported functions can have no receiver, so there is
// one board for the whole module, as there is one memory.
var board = struct {
	in     [2 * census.MaxTowers]uint32
	out    []uint32
	census *census.Census

	arcs   []census.Arc
	ticks  []census.Tick
	sample []census.Letter
	flows  []census.Flow
	before []int
	after  []int
}{census: census.New(0, "", ring.Mixed)}

func main() {}

// inbox is where the host writes what the next call is about.
//
//go:wasmexport inbox
func inbox() uint32 { return address(&board.in[0]) }

// start takes a new crowd of letters. Their seed is the first seedBytes bytes of the inbox;
// hash is the place of its name in: mixed, fnv1a, md5, xx.
//
//go:wasmexport start
func start(letters, hash, seedBytes uint32) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&board.in[0])), len(board.in)*4)
	seed := string(bytes[:min(int(seedBytes), len(bytes))])
	board.census = census.New(int(min(letters, census.MaxLetters)), seed, hashes(hash))
}

func hashes(which uint32) ring.Hash {
	switch which {
	case 1:
		return ring.FNV1a
	case 2:
		return ring.MD5
	case 3:
		return ring.XX
	}
	return ring.Mixed
}

// change counts the change from one fleet to another. The inbox holds the numbers of the
// towers before, then after. It gives the address of: letters, then moved and needlessly
// moved on the ring, under rendezvous and under modulo, then the load of each tower after.
//
//go:wasmexport change
func change(before, after, points uint32) uint32 {
	b := min(int(before), census.MaxTowers)
	a := min(int(after), census.MaxTowers)
	board.before = numbers(board.before[:0], board.in[:b])
	board.after = numbers(board.after[:0], board.in[b:b+a])
	c := board.census
	c.Change(board.before, board.after, int(min(max(points, 1), census.MaxPoints)))

	send(uint32(c.Letters()))
	for _, rule := range [...]census.Rule{census.OnRing, census.Rendezvous, census.Modulo} {
		t := c.Tally(rule)
		board.out = append(board.out, uint32(t.Moved), uint32(t.Needless))
	}
	for _, n := range c.Loads() {
		board.out = append(board.out, uint32(n))
	}
	return sent()
}

// arcs gives the address of a count and as many triples: from, to, tower; about most of them.
//
//go:wasmexport arcs
func arcs(most uint32) uint32 {
	board.arcs = board.census.AppendArcs(board.arcs[:0], int(most))
	send(uint32(len(board.arcs)))
	for _, a := range board.arcs {
		board.out = append(board.out, a.From, a.To, uint32(a.Tower))
	}
	return sent()
}

// ticks gives the address of a count and as many pairs: position, tower; at most most of them.
//
//go:wasmexport ticks
func ticks(most uint32) uint32 {
	board.ticks = board.census.AppendTicks(board.ticks[:0], int(most))
	send(uint32(len(board.ticks)))
	for _, t := range board.ticks {
		board.out = append(board.out, t.Position, uint32(t.Tower))
	}
	return sent()
}

// sample gives the address of a count and as many quadruples: rank, position, owner before,
// owner after; at most most of them. Rules are numbered as in package census.
//
//go:wasmexport sample
func sample(rule, most uint32) uint32 {
	board.sample = board.census.AppendSample(board.sample[:0], ruleOf(rule), int(most))
	send(uint32(len(board.sample)))
	for _, l := range board.sample {
		board.out = append(board.out, uint32(l.Rank), l.Position, uint32(l.Was), uint32(l.Is))
	}
	return sent()
}

// flows gives the address of a count and as many triples: from, to, letters.
//
//go:wasmexport flows
func flows(rule uint32) uint32 {
	board.flows = board.census.AppendFlows(board.flows[:0], ruleOf(rule))
	send(uint32(len(board.flows)))
	for _, f := range board.flows {
		board.out = append(board.out, uint32(f.From), uint32(f.To), uint32(f.Letters))
	}
	return sent()
}

// home is the position of a tower's point number 0.
//
//go:wasmexport home
func home(tower uint32) uint32 { return board.census.Home(int(tower)) }

func ruleOf(n uint32) census.Rule { return census.Rule(min(n, uint32(census.Modulo))) }

func numbers(dst []int, src []uint32) []int {
	for _, n := range src {
		dst = append(dst, int(n))
	}
	return dst
}

// send begins an answer with its first number; sent gives its address.
func send(first uint32) { board.out = append(board.out[:0], first) }

func sent() uint32 { return address(&board.out[0]) }

func address(p *uint32) uint32 { return uint32(uintptr(unsafe.Pointer(p))) }
