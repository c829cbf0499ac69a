package ring

import (
	"crypto/md5"
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"strings"
)

// Ketama is the scheme of nginx ("hash … consistent") and of pingora-ketama: servers are named
// "host:port" and keys stand at their CRC-32. With the default of 160 points and whole weights a
// [Ring] under Ketama sends every key where nginx does. Where two servers share a position
// pingora takes the lower address; this package takes the smaller name.
//
// A point costs one CRC of the host and the port. Each follows from the one before, so points
// from…to-1 cost as much as 0…to-1.
type Ketama struct{}

// Position returns the CRC-32 (IEEE) of key.
func (Ketama) Position(key string) uint32 { return ^crcText(^uint32(0), key) }

// AppendPoints chains CRC-32: point k is that of the host, a zero byte, the port, and the four
// bytes of point k-1, least significant first (for point 0, zeros).
func (Ketama) AppendPoints(dst []uint32, node string, from, to int) []uint32 {
	host, port := splitHostPort(node)
	base := crcText(crcByte(crcText(^uint32(0), host), 0), port)
	point := uint32(0)
	for k := range to {
		crc := base
		for shift := 0; shift < 32; shift += 8 {
			crc = crcByte(crc, byte(point>>shift))
		}
		point = ^crc
		if k >= from {
			dst = append(dst, point)
		}
	}
	return dst
}

// splitHostPort divides a server's name as nginx does: the port is what follows the last colon,
// if it is nothing but digits; a Unix socket has none, and its "unix:" does not count.
func splitHostPort(node string) (host, port string) {
	const unix = "unix:"
	if len(node) >= len(unix) && strings.EqualFold(node[:len(unix)], unix) {
		return node[len(unix):], ""
	}
	for i := len(node) - 1; i >= 0; i-- {
		switch c := node[i]; {
		case c == ':':
			return node[:i], node[i+1:]
		case c < '0' || c > '9':
			return node, ""
		}
	}
	return node, ""
}

// crcByte continues an inverted CRC-32 over b. hash/crc32 does the same for slices of bytes, but
// handing it a string would allocate, and Owner must not.
func crcByte(crc uint32, b byte) uint32 { return crc32.IEEETable[byte(crc)^b] ^ crc>>8 }

// crcText continues an inverted CRC-32 over s.
func crcText(crc uint32, s string) uint32 {
	for i := 0; i < len(s); i++ {
		crc = crcByte(crc, s[i])
	}
	return crc
}

// Libketama is the scheme of the libketama library and of the memcached clients after it: each
// MD5 digest of "name-0", "name-1", … gives four points, and keys stand at [MD5] of them.
//
// Its original also scales every node's points by the sum of all weights, so that a newcomer moves
// keys between the others; a [Ring] never does. Fleets of equal weights agree with it.
type Libketama struct{}

// Position returns [MD5] of key.
func (Libketama) Position(key string) uint32 { return MD5(key) }

// AppendPoints takes point k from bytes 4(k mod 4)…, least significant first, of the digest of
// the node's name, a hyphen and k/4.
func (Libketama) AppendPoints(dst []uint32, node string, from, to int) []uint32 {
	const perDigest = md5.Size / 4
	text := append(make([]byte, 0, len(node)+len("-1234567")), node...)
	text = append(text, '-')
	var sum [md5.Size]byte
	for k := from; k < to; k++ {
		if k == from || k%perDigest == 0 {
			text = strconv.AppendInt(text[:len(node)+1], int64(k/perDigest), 10)
			sum = md5.Sum(text)
		}
		dst = append(dst, binary.LittleEndian.Uint32(sum[k%perDigest*4:]))
	}
	return dst
}
