package ring

import (
	"hash/crc32"
	"math"
	"slices"
	"testing"
)

// The values here were given by the programs themselves: nginx's and pingora's, and libketama's.

func TestKetamaPointsAreNginxs(t *testing.T) {
	if base := ^crcText(crcByte(crcText(math.MaxUint32, "127.0.0.1"), 0), "12345"); base != 3687690616 {
		t.Errorf("base hash = %d, want 3687690616", base)
	}
	want := []uint32{604397847, 3397708913, 1931737547, 1224349608}
	if got := (Ketama{}).AppendPoints(nil, "127.0.0.1:12345", 0, 4); !slices.Equal(got, want) {
		t.Errorf("first points = %d, want %d", got, want)
	}
	if got := (Ketama{}).AppendPoints(nil, "127.0.0.1:12345", 2, 4); !slices.Equal(got, want[2:]) {
		t.Errorf("points 2 and 3 alone = %d, want %d", got, want[2:])
	}
}

func TestKetamaSplitsServersAsNginxDoes(t *testing.T) {
	for _, c := range []struct{ node, host, port string }{
		{"127.0.0.1:12345", "127.0.0.1", "12345"},
		{"cache-01", "cache-01", ""},
		{"cache-01:", "cache-01", ""},
		{"[::1]:80", "[::1]", "80"},
		{"host:80a", "host:80a", ""},
		{"unix:/run/a.sock", "/run/a.sock", ""},
		{"UNIX:/run/a.sock:80", "/run/a.sock:80", ""},
		{"12345", "12345", ""},
		{":80", "", "80"},
		{"", "", ""},
	} {
		if host, port := splitHostPort(c.node); host != c.host || port != c.port {
			t.Errorf("splitHostPort(%q) = %q, %q, want %q, %q", c.node, host, port, c.host, c.port)
		}
	}
}

func FuzzKetamaPositionIsCRC32(f *testing.F) {
	for _, key := range []string{"", "foo", "some_key", "\x00\xff"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if got, want := (Ketama{}).Position(key), crc32.ChecksumIEEE([]byte(key)); got != want {
			t.Fatalf("position of %q = %d, want %d", key, got, want)
		}
	})
}

func TestLibketamaPointsAreLibketamas(t *testing.T) {
	const server = "10.0.1.1:11211"
	want := []uint32{2431485715, 4123933443, 100894374, 2720740989}
	if got := (Libketama{}).AppendPoints(nil, server, 0, 4); !slices.Equal(got, want) {
		t.Errorf("first points = %d, want %d", got, want)
	}
	if got := (Libketama{}).Position("foo"); got != 3675831724 {
		t.Errorf("foo stands at %d, want 3675831724", got)
	}
}

// The indexes are those of the owning point among all points, shadowed ones left out.
func TestKetamaPlacesKeysAsNginxDoes(t *testing.T) {
	servers := []Node{
		{Name: "127.0.0.1:12345", Weight: 1}, {Name: "127.0.0.2:12345", Weight: 2}, {Name: "127.0.0.3:12345", Weight: 3},
	}
	type place struct {
		server string
		index  int
	}
	for _, c := range []struct {
		points int
		want   map[string]place
	}{
		{160, map[string]place{
			"some_key":    {"127.0.0.3:12345", 228},
			"another_key": {"127.0.0.3:12345", 119},
			"last_key":    {"127.0.0.2:12345", 609},
			"foo":         {"127.0.0.2:12345", 511},
			"bar":         {"127.0.0.1:12345", 444},
			"baz":         {"127.0.0.3:12345", 446},
			"":            {"127.0.0.3:12345", 0},
		}},
		{10, map[string]place{"some_key": {"127.0.0.1:12345", 16}, "bar": {"127.0.0.3:12345", 31}}},
		{1000, map[string]place{"another_key": {"127.0.0.2:12345", 687}, "baz": {"127.0.0.2:12345", 2841}}},
	} {
		r := must(New(servers, Using(Ketama{}), Points(c.points)))
		var positions []uint32
		for position := range r.Points() {
			positions = append(positions, position)
		}
		if want := 6 * c.points; len(positions) != want {
			t.Errorf("%d points a server: %d in all, want %d", c.points, len(positions), want)
		}
		for key, want := range c.want {
			index, _ := slices.BinarySearch(positions, r.Position(key))
			if server, _ := r.Owner(key); server != want.server || index != want.index {
				t.Errorf("%d points a server: %q goes to %s at %d, want %s at %d",
					c.points, key, server, index, want.server, want.index)
			}
		}
	}
}

// However a node's points are asked for, they are the same ones.
func TestPointsDoNotDependOnTheRangeAskedFor(t *testing.T) {
	for name, scheme := range map[string]Scheme{
		"fast": Fast{}, "classic": Classic(Mixed), "ketama": Ketama{}, "libketama": Libketama{},
	} {
		const count = 2*classicBatch + 10
		all := scheme.AppendPoints(nil, "10.0.0.1:80", 0, count)
		if len(all) != count {
			t.Fatalf("%s: %d points, want %d", name, len(all), count)
		}
		for from := 0; from < count; from += 41 {
			for _, to := range []int{from, from + 1, from + 7, count} {
				got := scheme.AppendPoints([]uint32{42}, "10.0.0.1:80", from, min(to, count))
				if got[0] != 42 || !slices.Equal(got[1:], all[from:min(to, count)]) {
					t.Fatalf("%s: points %d to %d differ from the same of all", name, from, to)
				}
			}
		}
	}
}
