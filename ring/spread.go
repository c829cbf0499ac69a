package ring

import (
	"iter"
	"math"
)

// NodeLoad is the number of keys that one node has.
type NodeLoad struct {
	Name string
	Keys int
}

// Load is how evenly keys lie on nodes. All figures compare with the plain mean, as though the
// nodes were equal; where weights differ, Nodes has what there is to compare. Without nodes or
// without keys, all of them are 0.
type Load struct {
	Nodes []NodeLoad // in the order of the placement's nodes; those without keys too
	Total int        // keys that have an owner

	Max, Min int     // keys of the fullest and of the emptiest node
	Mean     float64 // keys a node

	MaxToMean float64 // Max in terms of Mean: 1 is perfect, 1.2 means 20 % above the fair share
	MinToMean float64 // Min in terms of Mean: 1 is perfect, 0 means a node has nothing
	StdDev    float64 // standard deviation of the nodes (as a whole population), in keys
	CV        float64 // coefficient of variation: StdDev in terms of Mean
}

// Keys returns the number of keys that the node called name has, 0 if there is no such node.
func (l Load) Keys(name string) int {
	for _, n := range l.Nodes {
		if n.Name == name {
			return n.Keys
		}
	}
	return 0
}

// Spread looks up every key and says how evenly they lie. Keys without an owner are not counted.
func Spread(p Placement, keys iter.Seq[string]) Load {
	nodes := p.Nodes()
	load := Load{Nodes: make([]NodeLoad, 0, len(nodes))}
	index := make(map[string]int, len(nodes))
	at := func(name string) int {
		i, ok := index[name]
		if !ok {
			i = len(load.Nodes)
			index[name] = i
			load.Nodes = append(load.Nodes, NodeLoad{Name: name})
		}
		return i
	}
	for _, n := range nodes {
		at(n.Name)
	}
	for key := range keys {
		if name, ok := p.Owner(key); ok {
			load.Nodes[at(name)].Keys++
			load.Total++
		}
	}
	load.summarise()
	return load
}

// summarise computes all figures from Nodes and Total.
func (l *Load) summarise() {
	if len(l.Nodes) == 0 || l.Total == 0 {
		return
	}
	count := float64(len(l.Nodes))
	l.Mean = float64(l.Total) / count
	l.Min = l.Total
	squares := 0.0
	for _, n := range l.Nodes {
		l.Max = max(l.Max, n.Keys)
		l.Min = min(l.Min, n.Keys)
		distance := float64(n.Keys) - l.Mean
		squares += distance * distance
	}
	l.StdDev = math.Sqrt(squares / count)
	l.MaxToMean = float64(l.Max) / l.Mean
	l.MinToMean = float64(l.Min) / l.Mean
	l.CV = l.StdDev / l.Mean
}
