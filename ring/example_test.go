package ring_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/ringoftowers/towers/ring"
)

// letters yields letter-0, letter-1, …: n keys.
func letters(n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range n {
			if !yield("letter-" + strconv.Itoa(i)) {
				return
			}
		}
	}
}

func towers(n int) []ring.Node {
	nodes := make([]ring.Node, n)
	for i := range nodes {
		nodes[i].Name = "T-" + strconv.Itoa(i+1)
	}
	return nodes
}

func names(nodes []ring.Node) []string {
	var names []string
	for _, n := range nodes {
		names = append(names, n.Name)
	}
	return names
}

// lessonRing returns a ring as the lessons build it, of nodes that are known to be good.
func lessonRing(nodes []ring.Node, points int) *ring.Ring {
	r, err := ring.New(nodes, ring.Points(points), ring.Using(ring.Classic(ring.Mixed)))
	if err != nil {
		panic(err)
	}
	return r
}

// A fifth tower comes: what moves, and what would have moved under modulo.
func Example() {
	before := lessonRing(towers(4), 100)
	after, err := before.With(ring.Node{Name: "T-5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	onRing := ring.Moved(before, after, letters(2000))
	byModulo := ring.Moved(ring.NewModulo(names(towers(4))), ring.NewModulo(names(towers(5))), letters(2000))
	fmt.Printf("ring: %d letters move, %d of them for no reason\n", onRing.Moved, onRing.Wrong)
	fmt.Printf("modulo: %d letters move\n", byModulo.Moved)
	// Output:
	// ring: 432 letters move, 0 of them for no reason
	// modulo: 1615 letters move
}

func ExampleNew() {
	r, err := ring.New([]ring.Node{{Name: "small"}, {Name: "large", Weight: 4}}, ring.Points(500))
	if err != nil {
		fmt.Println(err)
		return
	}
	load := ring.Spread(r, letters(10_000))
	fmt.Printf("small has %.0f %%\n", 100*float64(load.Keys("small"))/float64(load.Total))
	// Output: small has 20 %
}

func ExampleRing() {
	r := lessonRing(towers(3), 100)
	owner, _ := r.Owner("letter-7")
	r = r.Without(owner)
	heir, _ := r.Owner("letter-7")
	fmt.Println(owner, "leaves, and", heir, "has the letter")
	// Output: T-1 leaves, and T-2 has the letter
}

func ExampleRing_Owner() {
	r := lessonRing(towers(4), 100)
	fmt.Println(r.Owner("letter-7"))
	fmt.Println(lessonRing(nil, 100).Owner("letter-7"))
	// Output:
	// T-1 true
	//  false
}

func ExampleRing_Owners() {
	r := lessonRing(towers(4), 100)
	fmt.Println(r.Owners("letter-7", 2))
	fmt.Println(len(r.Owners("letter-7", 9)))
	// Output:
	// [T-1 T-2]
	// 4
}

func ExampleRing_AppendOwners() {
	r := lessonRing(towers(4), 100)
	var room [2]string
	for letter := range letters(3) {
		owners := r.AppendOwners(room[:0], letter, 2)
		fmt.Println(letter, owners[0], "then", owners[1])
	}
	// Output:
	// letter-0 T-1 then T-4
	// letter-1 T-4 then T-2
	// letter-2 T-1 then T-3
}

func ExampleRing_With() {
	r := lessonRing(towers(2), 100)
	more, err := r.With(ring.Node{Name: "T-3"})
	fmt.Println(len(r.Nodes()), len(more.Nodes()), err)
	_, err = more.With(ring.Node{Name: "T-3"})
	fmt.Println(err)
	// Output:
	// 2 3 <nil>
	// ring: node "T-3": the ring has a node of this name already
}

func ExampleRing_Without() {
	r := lessonRing(towers(3), 100)
	fewer := r.Without("T-2")
	fmt.Println(names(fewer.Nodes()), fewer.Without("T-9") == fewer)
	// Output: [T-1 T-3] true
}

func ExampleRing_Nodes() {
	r := lessonRing([]ring.Node{{Name: "b"}, {Name: "a", Weight: 2}}, 100)
	fmt.Println(r.Nodes())
	// Output: [{a 2} {b 0}]
}

func ExampleRing_Points() {
	r := lessonRing(towers(2), 2)
	for position, node := range r.Points() {
		fmt.Printf("%4.1f %% round: %s\n", 100*float64(position)/(1<<32), node.Name)
	}
	// Output:
	// 25.5 % round: T-1
	// 32.3 % round: T-2
	// 45.1 % round: T-1
	// 99.8 % round: T-2
}

func ExampleRing_OwnerAt() {
	r := lessonRing(towers(4), 100)
	byKey, _ := r.Owner("letter-7")
	byPosition, _ := r.OwnerAt(r.Position("letter-7"))
	fmt.Println(byKey == byPosition)
	// Output: true
}

func ExampleRing_Position() {
	fmt.Println(lessonRing(nil, 1).Position("foobar") == ring.Mixed("foobar"))
	// Output: true
}

func ExamplePoints() {
	for _, points := range []int{1, 10, 100, 1000} {
		load := ring.Spread(lessonRing(towers(8), points), letters(100_000))
		fmt.Printf("%d points: the fullest tower has %.0f %% of its fair share\n", points, 100*load.MaxToMean)
	}
	// Output:
	// 1 points: the fullest tower has 259 % of its fair share
	// 10 points: the fullest tower has 145 % of its fair share
	// 100 points: the fullest tower has 112 % of its fair share
	// 1000 points: the fullest tower has 108 % of its fair share
}

func ExampleUsing() {
	servers := []ring.Node{{Name: "127.0.0.1:12345", Weight: 1}, {Name: "127.0.0.2:12345", Weight: 2}, {Name: "127.0.0.3:12345", Weight: 3}}
	r, err := ring.New(servers, ring.Using(ring.Ketama{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Owner("some_key"))
	// Output: 127.0.0.3:12345 true
}

func ExampleScheme() {
	var scheme ring.Scheme = ring.Classic(ring.Mixed)
	fmt.Println(scheme.AppendPoints(nil, "T-1", 0, 2))
	fmt.Println(ring.Mixed("T-1#0"), ring.Mixed("T-1#1"))
	// Output:
	// [1095928766 1938958522]
	// 1095928766 1938958522
}

func ExampleClassic() {
	r, err := ring.New(towers(4), ring.Points(100), ring.Using(ring.Classic(ring.Mixed)))
	if err != nil {
		fmt.Println(err)
		return
	}
	load := ring.Spread(r, letters(2000))
	fmt.Println(load.Max, load.Min)
	// Output: 564 420
}

func ExampleFast() {
	// Fast is what New takes unless told otherwise.
	plain, _ := ring.New(towers(4))
	fast, _ := ring.New(towers(4), ring.Using(ring.Fast{}))
	fmt.Println(len(ring.Diff(plain, fast)))
	// Output: 0
}

func ExampleKetama() {
	fmt.Println(ring.Ketama{}.AppendPoints(nil, "127.0.0.1:12345", 0, 2))
	// Output: [604397847 3397708913]
}

func ExampleLibketama() {
	fmt.Println(ring.Libketama{}.AppendPoints(nil, "10.0.1.1:11211", 0, 2), ring.Libketama{}.Position("foo"))
	// Output: [2431485715 4123933443] 3675831724
}

func ExampleDiff() {
	before := lessonRing(towers(3), 1)
	after := before.Without("T-2")
	for _, arc := range ring.Diff(before, after) {
		fmt.Printf("%s gives %s %.0f %% of the circle\n", arc.Old, arc.New, 100*float64(arc.Size())/(1<<32))
	}
	// Output: T-2 gives T-3 7 % of the circle
}

func ExampleArc() {
	before, after := lessonRing(towers(4), 10), lessonRing(towers(5), 10)
	arcs := ring.Diff(before, after)
	for letter := range letters(12) {
		for _, arc := range arcs {
			if arc.Contains(before.Position(letter)) {
				fmt.Println(letter, "goes from", arc.Old, "to", arc.New)
			}
		}
	}
	// Output:
	// letter-1 goes from T-1 to T-5
	// letter-2 goes from T-2 to T-5
	// letter-6 goes from T-1 to T-5
	// letter-10 goes from T-2 to T-5
}

func ExampleNodeError() {
	_, err := ring.New([]ring.Node{{Name: "T-1"}, {Name: "T-2", Weight: -1}})
	var bad *ring.NodeError
	if errors.As(err, &bad) {
		fmt.Println("look at", bad.Name)
	}
	fmt.Println(err)
	// Output:
	// look at T-2
	// ring: node "T-2": weight -1 is not a finite number of at least 0
}

func ExampleOptionError() {
	_, err := ring.New(towers(4), ring.Points(0))
	fmt.Println(err)
	// Output: ring: Points(0): a node needs at least 1 point per unit of weight
}

func ExampleNode() {
	large, small := ring.Node{Name: "large", Weight: 64}, ring.Node{Name: "small", Weight: 16}
	r, err := ring.New([]ring.Node{large, small})
	if err != nil {
		fmt.Println(err)
		return
	}
	load := ring.Spread(r, letters(100_000))
	fmt.Printf("large has %.1f times as much\n", float64(load.Keys("large"))/float64(load.Keys("small")))
	// Output: large has 3.9 times as much
}

func ExampleArc_Size() {
	from, to := ring.Arc{From: 0, To: 0}, ring.Arc{From: 0, To: math.MaxUint32}
	fmt.Println(from.Size(), to.Size())
	// Output: 1 4294967296
}

func ExampleArc_Contains() {
	arc := ring.Arc{From: 10, To: 20}
	fmt.Println(arc.Contains(9), arc.Contains(10), arc.Contains(20), arc.Contains(21))
	// Output: false true true false
}
