package ring

import "strconv"

// Libketama is the scheme of the libketama library and of the memcached clients after it: each
// MD5 digest of "name-0", "name-1", … gives four points, and keys stand at [MD5] of them.
//
// Its original also scales every node's points by the sum of all weights, so that a newcomer moves
// keys between the others; a [Ring] never does. Fleets of equal weights agree with it.
type Libketama struct{}

// Position returns [MD5] of key.
func (Libketama) Position(key string) uint32 { return MD5(key) }

// AppendPoints takes point k from the digest of the node's name, a hyphen and k/4: from its
// bytes 4(k mod 4) … 4(k mod 4)+3, least significant first.
func (Libketama) AppendPoints(dst []uint32, node string, from, to int) []uint32 {
	text := append(make([]byte, 0, len(node)+len("-1234567")), node...)
	text = append(text, '-')
	var words [4]uint32
	for k := from; k < to; k++ {
		if k == from || k%len(words) == 0 {
			text = strconv.AppendInt(text[:len(node)+1], int64(k/len(words)), 10)
			words = md5Words(text)
		}
		dst = append(dst, words[k%len(words)])
	}
	return dst
}
