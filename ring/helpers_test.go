package ring

import (
	"iter"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// must returns v, and panics where a test's own premise is wrong.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// numbered yields prefix0, prefix1, …: n keys.
func numbered(prefix string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n {
			if !yield(prefix + strconv.Itoa(i)) {
				return
			}
		}
	}
}

// towers returns T-1 … T-n.
func towers(n int) []Node {
	nodes := make([]Node, n)
	for i := range nodes {
		nodes[i].Name = "T-" + strconv.Itoa(i+1)
	}
	return nodes
}

// caches returns cache-01 … cache-n.
func caches(n int) []Node {
	nodes := make([]Node, n)
	for i := range nodes {
		number := strconv.Itoa(i + 1)
		if i < 9 {
			number = "0" + number
		}
		nodes[i].Name = "cache-" + number
	}
	return nodes
}

func names(nodes []Node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.Name
	}
	return names
}

// fixed is a scheme that puts points where a test wants them, and each key at the number it is.
type fixed map[string][]uint32

func (f fixed) Position(key string) uint32 {
	return uint32(must(strconv.ParseUint(key, 10, 32)))
}

func (f fixed) AppendPoints(dst []uint32, node string, from, to int) []uint32 {
	return append(dst, f[node][from:to]...)
}

// ring returns the ring whose nodes have all these points.
func (f fixed) ring() *Ring {
	var nodes []Node
	for name, points := range f {
		nodes = append(nodes, Node{Name: name, Weight: float64(len(points))})
	}
	return must(New(nodes, Points(1), Using(f)))
}

// schemes are what properties must hold under. Those of 8 bits make collisions the rule, at the
// lower end of the circle, around it, and on its last position.
var schemes = map[string]Scheme{
	"fast":          Fast{},
	"classic mixed": Classic(Mixed),
	"classic fnv1a": Classic(FNV1a),
	"ketama":        Ketama{},
	"libketama":     Libketama{},
	"8 bits, low":   Classic(func(key string) uint32 { return Mixed(key) >> 24 }),
	"8 bits, even":  Classic(func(key string) uint32 { return Mixed(key) >> 24 << 24 }),
	"8 bits, high":  Classic(func(key string) uint32 { return Mixed(key) | 0x00ffffff }),
	"constant":      Classic(func(string) uint32 { return 7 }),
}

func drawScheme(t *rapid.T) Scheme {
	var names []string
	for name := range schemes {
		names = append(names, name)
	}
	slices.Sort(names)
	return schemes[rapid.SampledFrom(names).Draw(t, "scheme")]
}

func drawWeight(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{0, 1, 1, 1, 2, 3.5, 0.25, 0.001}).Draw(t, "weight")
}

// drawNodes draws up to most nodes in any order, named so that names and numbers could run together.
func drawNodes(t *rapid.T, least, most int) []Node {
	drawn := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab]?(node)?[0-9]{0,2}[#:-]?[0-9]`), least, most, rapid.ID[string]).Draw(t, "names")
	nodes := make([]Node, len(drawn))
	for i, name := range drawn {
		nodes[i] = Node{Name: name, Weight: drawWeight(t)}
	}
	return nodes
}

// drawRing draws a ring of least nodes or more.
func drawRing(t *rapid.T, least int) *Ring {
	points := rapid.IntRange(1, 20).Draw(t, "points")
	return must(New(drawNodes(t, least, 8), Points(points), Using(drawScheme(t))))
}

// drawNewcomer draws a node that is not in r.
func drawNewcomer(t *rapid.T, r *Ring) Node {
	name := rapid.StringMatching(`[ab]?(node)?[0-9]{0,2}[#:-]?[0-9]`).Filter(func(name string) bool {
		_, found := findNode(r.nodes, name)
		return !found
	}).Draw(t, "newcomer")
	return Node{Name: name, Weight: drawWeight(t)}
}

// same fails unless two rings are equal in all that they hold.
func same(t interface{ Fatalf(string, ...any) }, what string, got, want *Ring) {
	if !slices.Equal(got.nodes, want.nodes) {
		t.Fatalf("%s: nodes %v, want %v", what, got.nodes, want.nodes)
	}
	if !slices.Equal(got.points, want.points) {
		t.Fatalf("%s: points %v, want %v", what, got.points, want.points)
	}
	if got.buckets.shift != want.buckets.shift || !slices.Equal(got.buckets.starts, want.buckets.starts) {
		t.Fatalf("%s: buckets differ though nodes and points are the same", what)
	}
}

// allocatesNothing fails if f allocates.
func allocatesNothing(t *testing.T, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(200, f); n != 0 {
		t.Errorf("%s allocates %v times, want none", what, n)
	}
}
