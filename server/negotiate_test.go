package server

import "testing"

func TestNegotiate(t *testing.T) {
	for _, c := range []struct{ accept, want string }{
		{"", "identity"},
		{"gzip, deflate, br, zstd", "br"},
		{"gzip, deflate", "gzip"},
		{"gzip;q=1.0, br;q=0.5", "gzip"},
		{"br;q=0.5, gzip;q=0.5", "br"},
		{"BR", "br"},
		{" gzip ; q=0.9 ,\tbr ; q=0.1", "gzip"},
		{"br;q=0", "identity"},
		{"br;q=0, gzip", "gzip"},
		{"br;q=0.0, gzip;q=0.000", "identity"},
		{"*", "br"},
		{"*;q=0", "identity"},
		{"br;q=0, *", "gzip"},
		{"gzip, *;q=0", "gzip"},
		{"identity", "identity"},
		{"identity;q=1, br;q=0.5", "identity"},
		{"identity;q=0.5, br;q=0.8", "br"},
		{"identity, br", "br"},
		{"identity;q=0", "identity"},
		{"identity;q=0, gzip", "gzip"},
		{"deflate, compress", "identity"},
		{"br;q=nonsense, gzip", "gzip"},
		{"br;q=NaN", "identity"},
		{"br;q=7", "identity"},
		{"br;q=-1", "identity"},
		{"br;level=3;q=0.4, gzip;q=0.3", "br"},
		{",,;q=1,br", "br"},
	} {
		if got := negotiate(c.accept, brotliCoding, gzipCoding); got != c.want {
			t.Errorf("for %q: %s, want %s", c.accept, got, c.want)
		}
	}
}

func TestNegotiateWithoutOffers(t *testing.T) {
	if got := negotiate("br, gzip"); got != identity {
		t.Errorf("%s, though only the plain form is there", got)
	}
}

// Whatever a client sends, it gets a form that is there, and never one that it refused.
func FuzzNegotiate(f *testing.F) {
	f.Add("gzip, br;q=0.5, *;q=0")
	f.Add(";;;q==,=;")
	f.Fuzz(func(t *testing.T, accept string) {
		got := negotiate(accept, brotliCoding, gzipCoding)
		if got != identity && got != brotliCoding && got != gzipCoding {
			t.Fatalf("for %q: %q, which was not offered", accept, got)
		}
		values := parseAccept(accept)
		for coding, q := range values {
			if !(q >= 0 && q <= 1) {
				t.Errorf("for %q: %s has the value %v", accept, coding, q)
			}
		}
		if q, named := values[got]; got != identity && named && q == 0 {
			t.Errorf("for %q: %s, which the client refuses", accept, got)
		}
	})
}
