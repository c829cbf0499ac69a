package server

import (
	"strconv"
	"strings"
)

// The content codings there are, by their names on the wire.
const (
	identity     = "identity"
	brotliCoding = "br"
	gzipCoding   = "gzip"
)

// negotiate chooses a content coding by a request's Accept-Encoding: of those in offers, which
// come with the best first, the one that the client values most. It says identity where the
// client names none of them or values the plain form more; and also where it refuses all forms,
// since an answer that it can perhaps read helps more than none.
func negotiate(accept string, offers ...string) string {
	values := parseAccept(accept)
	best, highest := identity, values[identity]
	for _, offer := range offers {
		v, named := values[offer]
		if !named {
			v = values["*"]
		}
		// At the same value a coding beats the plain form and those offered after it.
		if v > highest || v == highest && v > 0 && best == identity {
			best, highest = offer, v
		}
	}
	return best
}

// parseAccept reads a list such as "gzip, br;q=0.8, *;q=0" into values from 0 to 1. A value
// that is none counts as 0: better a plain answer than one in a form that was not wanted.
func parseAccept(accept string) map[string]float64 {
	values := map[string]float64{}
	for item := range strings.SplitSeq(accept, ",") {
		coding, params, _ := strings.Cut(item, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == "" {
			continue
		}
		values[coding] = quality(params)
	}
	return values
}

// quality reads the q of a coding's parameters, which is 1 where none is given.
func quality(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(param, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		// The condition is written so that it refuses what is not a number as well.
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}
