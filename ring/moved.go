package ring

import "iter"

// Movement is how many keys a change has given to another node.
type Movement struct {
	Moved int // keys whose owner is another than before
	Total int // keys looked at

	// Wrong counts those of Moved that had no reason to: the node they left is still there with
	// no less weight, and the node they went to was there before with no less weight. It is 0
	// for a ring and for rendezvous, and most of Moved for modulo.
	Wrong int
}

// Share returns the part of the keys that moved, 0 to 1; 0 if there were none.
func (m Movement) Share() float64 {
	if m.Total == 0 {
		return 0
	}
	return float64(m.Moved) / float64(m.Total)
}

// Moved looks up every key in two placements and counts those with different owners. Having no
// owner, because a placement is empty, counts as an owner of its own.
func Moved(before, after Placement, keys iter.Seq[string]) Movement {
	lost := heavierIn(before, after)
	gained := heavierIn(after, before)
	var m Movement
	for key := range keys {
		m.Total++
		was, had := before.Owner(key)
		is, has := after.Owner(key)
		if was == is && had == has {
			continue
		}
		m.Moved++
		if !lost[was] && !gained[is] {
			m.Wrong++
		}
	}
	return m
}

// heavierIn returns the names of the nodes that weigh more in p than in other, or are only in p.
func heavierIn(p, other Placement) map[string]bool {
	weights := make(map[string]float64)
	for _, n := range other.Nodes() {
		weights[n.Name] = n.weight()
	}
	heavier := make(map[string]bool)
	for _, n := range p.Nodes() {
		if weight, there := weights[n.Name]; !there || n.weight() > weight {
			heavier[n.Name] = true
		}
	}
	return heavier
}
