package ring

import (
	"crypto/md5"
	"encoding/binary"
	"testing"
)

func TestMD5IsTheStandardLibrarys(t *testing.T) {
	text := make([]byte, 300)
	for i := range text {
		text[i] = byte(i * 7)
	}
	for n := range len(text) {
		checkMD5(t, text[:n])
	}
}

func FuzzMD5(f *testing.F) {
	f.Add([]byte("10.0.1.1:11211-0"))
	f.Fuzz(func(t *testing.T, text []byte) { checkMD5(t, text) })
}

func checkMD5(t *testing.T, text []byte) {
	t.Helper()
	var got [md5.Size]byte
	for i, word := range md5Words(text) {
		binary.LittleEndian.PutUint32(got[4*i:], word)
	}
	if want := md5.Sum(text); got != want {
		t.Fatalf("md5 of %d bytes = %x, want %x", len(text), got, want)
	}
	if words := md5Words(string(text)); words != md5Words(text) {
		t.Fatalf("a string of %d bytes and the same bytes give different digests", len(text))
	}
}
