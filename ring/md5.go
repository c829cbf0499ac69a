package ring

import "math/bits"

// MD5 is the first four bytes of key's MD5 digest, least significant first, as libketama reads
// them. It is even, and slow beside [Mixed] and [XX]. It is here for compatibility with rings
// that others built, not for secrecy. It allocates nothing.
func MD5(key string) uint32 { return md5Words(key)[0] }

// md5Words returns the MD5 digest (RFC 1321) of s as the four words of its state, which are
// also the digest's bytes read as little-endian numbers: all that a ring ever needs of it.
//
// The standard library's crypto/md5 is not used because importing it is enough to link a good
// part of crypto: more than 100 KB of brotli in a WebAssembly program that never calls it. This
// one is left out by the linker when it is not called, and the tests hold the two together.
func md5Words[T string | []byte](s T) [4]uint32 {
	state := [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}
	size := uint64(len(s))

	// Two blocks hold what remains after the whole ones, the bit that ends the message, and its
	// length; often the first is enough.
	var block [128]byte
	for len(s) >= 64 {
		copy(block[:64], s)
		md5Block(&state, block[:64])
		s = s[64:]
	}
	clear(block[:])
	end := copy(block[:], s)
	block[end] = 0x80
	padded := 64
	if end+1+8 > padded {
		padded = 128
	}
	for i := range 8 {
		block[padded-8+i] = byte(size << 3 >> (8 * i))
	}
	md5Block(&state, block[:64])
	if padded == 128 {
		md5Block(&state, block[64:])
	}
	return state
}

// md5Block takes one block of 64 bytes into the state.
func md5Block(state *[4]uint32, block []byte) {
	var word [16]uint32
	for i := range word {
		b := block[4*i : 4*i+4]
		word[i] = uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	}
	a, b, c, d := state[0], state[1], state[2], state[3]
	for i, sine := range md5Sines {
		var f uint32
		var w int
		switch i / 16 {
		case 0:
			f, w = b&c|^b&d, i
		case 1:
			f, w = d&b|^d&c, 5*i+1
		case 2:
			f, w = b^c^d, 3*i+5
		case 3:
			f, w = c^(b|^d), 7*i
		}
		f += a + sine + word[w%16]
		a, d, c, b = d, c, b, b+bits.RotateLeft32(f, md5Shifts[i/16][i%4])
	}
	state[0] += a
	state[1] += b
	state[2] += c
	state[3] += d
}

// md5Shifts are the rotations of the four rounds.
var md5Shifts = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// md5Sines are the integer parts of 2³²·|sin(i+1)|.
var md5Sines = [64]uint32{
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee,
	0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be,
	0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa,
	0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
	0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c,
	0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
	0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039,
	0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1,
	0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
}
