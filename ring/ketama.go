package ring

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
	if path, ok := cutUnix(node); ok {
		return path, ""
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

// cutUnix takes "unix:", in capitals or not, off the front of a server's name. The folding of
// package strings knows all of Unicode, which costs kilobytes and would be wrong here.
func cutUnix(node string) (path string, ok bool) {
	const unix = "unix:"
	if len(node) < len(unix) {
		return "", false
	}
	for i := range len(unix) {
		c := node[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != unix[i] {
			return "", false
		}
	}
	return node[len(unix):], true
}

// crcText continues an inverted CRC-32 over s.
func crcText(crc uint32, s string) uint32 {
	for i := 0; i < len(s); i++ {
		crc = crcByte(crc, s[i])
	}
	return crc
}

// crcByte continues an inverted CRC-32 over b, four bits at a time.
//
// The standard library's hash/crc32 is quicker, but it takes slices only, so a look-up would
// allocate, and its tables stay in a WebAssembly program that never uses them.
func crcByte(crc uint32, b byte) uint32 {
	crc ^= uint32(b)
	crc = crcNibbles[crc%16] ^ crc>>4
	return crcNibbles[crc%16] ^ crc>>4
}

// crcNibbles are the remainders of the sixteen values of four bits by the IEEE polynomial
// 0xedb88320, lowest bit first.
var crcNibbles = [16]uint32{
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
	0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
}
