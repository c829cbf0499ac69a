package ring

import "testing"

func TestHashesGiveTheirReferenceValues(t *testing.T) {
	for _, c := range []struct {
		name string
		hash Hash
		key  string
		want uint32
	}{
		{"FNV1a", FNV1a, "", 0x811c9dc5},
		{"FNV1a", FNV1a, "a", 0xe40c292c},
		{"FNV1a", FNV1a, "foobar", 0xbf9cf968},
		{"Mixed", Mixed, "", 0xab3e7c0b},
		{"Mixed", Mixed, "a", 0x1a80b1b3},
		{"Mixed", Mixed, "foobar", 0x0c0da6dc},
		{"Mixed", Mixed, "node-89#99", 0xc0d5daa4},
		{"Mixed", Mixed, "node-1698#10", 0xc0d5daa4},
		{"MD5", MD5, "foo", 3675831724},
		{"MD5", MD5, "", 0xd98c1dd4},
		{"XX", XX, "", 0x51d8e999},
		{"XX", XX, "a", 0xa98c6e5b},
	} {
		if got := c.hash(c.key); got != c.want {
			t.Errorf("%s(%q) = %#08x, want %#08x", c.name, c.key, got, c.want)
		}
	}
}
