package ring

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzNodes takes any names and weights: either they are refused by name, or all placements of
// them answer for every key and agree with themselves.
func FuzzNodes(f *testing.F) {
	f.Add("a\nb\nc", 1.0, 2.0, "key")
	f.Add("T-1\nT-1#1\nT-1", 0.0, -1.0, "T-1#1")
	f.Add("host:80\nunix:/a\n[::1]:9", math.Inf(1), 1e-300, "")
	f.Add("\x00\n\xff\n#", 1e300, math.NaN(), "\x00")
	f.Fuzz(func(t *testing.T, list string, even, odd float64, key string) {
		if len(list) > 500 || even > 50 || odd > 50 {
			return // More of the same, and slow.
		}
		nodes := make([]Node, 0)
		for i, name := range strings.Split(list, "\n") {
			nodes = append(nodes, Node{Name: name, Weight: []float64{even, odd}[i%2]})
		}
		h, err := NewRendezvous(nodes)
		checkRefusal(t, nodes, err)
		if err == nil {
			checkOwner(t, h, key, nodes)
		}
		for _, scheme := range schemes {
			r, err := New(nodes, Points(7), Using(scheme))
			checkRefusal(t, nodes, err)
			if err != nil {
				continue
			}
			checkOwner(t, r, key, nodes)
			checkOwner(t, NewBounded(r, 1.25), key, nodes)
			if owners := r.Owners(key, len(nodes)); len(owners) != len(nodes) {
				t.Fatalf("%d owners of %d nodes", len(owners), len(nodes))
			}
			last := nodes[len(nodes)-1]
			same(t, "left and joined", must(r.Without(last.Name).With(last)), r)
		}
	})
}

// checkRefusal fails unless nodes were refused exactly if one of them is unusable or repeated.
func checkRefusal(t *testing.T, nodes []Node, err error) {
	t.Helper()
	unusable := false
	seen := make(map[string]bool)
	for _, n := range nodes {
		bad := n.Name == "" || seen[n.Name] || !(n.Weight >= 0) || math.IsInf(n.Weight, 1)
		unusable = unusable || bad
		seen[n.Name] = true
	}
	if unusable != (err != nil) {
		t.Fatalf("nodes %v: error %v", nodes, err)
	}
	var named *NodeError
	if err != nil && (!errors.As(err, &named) || named.Name != "" && !seen[named.Name]) {
		t.Fatalf("nodes %v: error %v does not name one of them", nodes, err)
	}
}

// checkOwner fails unless p gives key to one of nodes, and to the same one twice.
func checkOwner(t *testing.T, p Placement, key string, nodes []Node) {
	t.Helper()
	first, ok := p.Owner(key)
	again, _ := p.Owner(key)
	if !ok || first != again || !slices.Contains(names(nodes), first) {
		t.Fatalf("%T: owner of %q = %q, %v, then %q", p, key, first, ok, again)
	}
}

// FuzzClassicPoints holds the batches of Classic to the plain rule.
func FuzzClassicPoints(f *testing.F) {
	f.Add("T-1", uint16(0), uint16(300))
	f.Add("", uint16(255), uint16(257))
	f.Fuzz(func(t *testing.T, node string, from, to uint16) {
		var want []string
		for k := int(from); k < int(to); k++ {
			want = append(want, node+"#"+strconv.Itoa(k))
		}
		var got []string
		collect := func(text string) uint32 {
			got = append(got, text)
			return uint32(len(text))
		}
		Classic(collect).AppendPoints(nil, node, int(from), int(to))
		if !slices.Equal(got, want) {
			t.Fatalf("points %d to %d of %q hash %q, want %q", from, to, node, got, want)
		}
	})
}
