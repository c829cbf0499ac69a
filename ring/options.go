package ring

import (
	"math"
	"strconv"
)

// DefaultPoints is the number of points that a node of weight 1 has unless [Points] says
// otherwise. It is the number that nginx and libketama chose.
const DefaultPoints = 160

// MaxPoints is the largest number of points that a ring may have in all.
const MaxPoints = 1 << 28

// An Option is a choice made when a [Ring] is built, once for its life and for all rings that
// With and Without make of it.
type Option func(*settings)

// settings are a ring's choices.
type settings struct {
	points int
	scheme Scheme
}

// Points sets the number of points that a node has for each unit of weight, at least 1. A node of
// weight w gets max(1, round(n·w)) of them, whatever the others weigh.
//
// More points spread keys more evenly and cost memory: see [Ring]. Choose generously at the
// start, for a change of the number moves keys: from 160 to 500 on 8 nodes, 59 % of them.
func Points(n int) Option { return func(s *settings) { s.points = n } }

// Using sets the scheme that places keys and points. It must not be nil; the default is [Fast].
func Using(scheme Scheme) Option { return func(s *settings) { s.scheme = scheme } }

// An OptionError says that [New] was given an option it cannot use.
type OptionError struct {
	Option string // the option as it was given, such as "Points(0)"
	Reason string // what is wrong with it
}

// Error names the option and the reason.
func (e *OptionError) Error() string { return "ring: " + e.Option + ": " + e.Reason }

func newSettings(opts []Option) (settings, error) {
	s := settings{points: DefaultPoints, scheme: Fast{}}
	for _, opt := range opts {
		opt(&s)
	}
	if s.points < 1 {
		return s, &OptionError{
			Option: "Points(" + strconv.Itoa(s.points) + ")",
			Reason: "a node needs at least 1 point per unit of weight",
		}
	}
	if s.scheme == nil {
		return s, &OptionError{Option: "Using(nil)", Reason: "a scheme is needed; Fast{} is the default"}
	}
	if c, ok := s.scheme.(classic); ok && c.hash == nil {
		return s, &OptionError{Option: "Using(Classic(nil))", Reason: "a hash is needed; Mixed is a good one"}
	}
	return s, nil
}

// count returns how many points each of nodes has. It refuses the one that would bring a ring
// of that many other points above the limit.
func (s settings) count(nodes []Node, others int) ([]int, error) {
	counts := make([]int, len(nodes))
	for i, n := range nodes {
		// Compared before it becomes an int, which could not hold what a weight of 1e300 gives.
		count := max(1, math.Round(float64(s.points)*n.weight()))
		if count > float64(MaxPoints-others) {
			return nil, &NodeError{
				Name: n.Name,
				Reason: "its points would bring the ring above " + strconv.Itoa(MaxPoints) +
					"; give it less weight or use fewer points",
			}
		}
		counts[i] = int(count)
		others += counts[i]
	}
	return counts, nil
}
