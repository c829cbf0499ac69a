package ring_test

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ringoftowers/towers/ring"
)

func ExampleHash() {
	for _, hash := range []ring.Hash{ring.FNV1a, ring.Mixed, ring.XX, ring.MD5} {
		fmt.Printf("%08x\n", hash("foobar"))
	}
	// Output:
	// bf9cf968
	// 0c0da6dc
	// 9085aaf9
	// 22f65838
}

func ExampleFNV1a() {
	// Texts that differ only in their last byte land a multiple of the prime 16777619 apart.
	fmt.Println(ring.FNV1a("T-1#1") - ring.FNV1a("T-1#0"))
	// Output: 16777619
}

func ExampleMixed() {
	fmt.Printf("%08x %08x\n", ring.Mixed("a"), ring.Mixed("foobar"))
	// Output: 1a80b1b3 0c0da6dc
}

func ExampleXX() {
	fmt.Println(uint64(ring.XX("foobar")) == ring.KeyHash("foobar")&0xffffffff)
	// Output: true
}

func ExampleMD5() {
	fmt.Println(ring.MD5("foo"))
	// Output: 3675831724
}

func ExampleMoved() {
	m := ring.Moved(ring.NewModulo([]string{"a", "b"}), ring.NewModulo([]string{"a", "b", "c"}), letters(9000))
	fmt.Printf("%.0f %% move, %.0f %% for no reason\n", 100*m.Share(), 100*float64(m.Wrong)/float64(m.Total))
	// Output: 66 % move, 33 % for no reason
}

func ExampleMovement() {
	m := ring.Movement{Moved: 432, Total: 2000}
	fmt.Println(m.Share())
	// Output: 0.216
}

func ExampleSpread() {
	load := ring.Spread(lessonRing(towers(4), 100), letters(2000))
	for _, n := range load.Nodes {
		fmt.Println(n.Name, n.Keys)
	}
	fmt.Printf("fullest %.2f, emptiest %.2f, deviation %.1f letters\n", load.MaxToMean, load.MinToMean, load.StdDev)
	// Output:
	// T-1 564
	// T-2 522
	// T-3 420
	// T-4 494
	// fullest 1.13, emptiest 0.84, deviation 52.5 letters
}

func ExampleLoad() {
	load := ring.Spread(lessonRing(towers(4), 1), letters(2000))
	fmt.Println(load.Max, load.Min, load.Mean)
	// Output: 784 126 500
}

func ExampleNewModulo() {
	four := ring.NewModulo([]string{"T-1", "T-2", "T-3", "T-4"})
	fmt.Println(four.Owner("letter-7"))
	// Output: T-1 true
}

func ExampleModulo_HashedBy() {
	number := func(key string) uint32 {
		n, _ := strconv.Atoi(key)
		return uint32(n)
	}
	four := ring.NewModulo([]string{"T-1", "T-2", "T-3", "T-4"}).HashedBy(number)
	fmt.Println(four.Owner("7")) // 7 mod 4 is 3, and T-4 has the number 3.
	// Output: T-4 true
}

func ExampleNewRendezvous() {
	r, err := ring.NewRendezvous([]ring.Node{{Name: "small"}, {Name: "large", Weight: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	load := ring.Spread(r, letters(10_000))
	fmt.Printf("small has %.0f %%\n", 100*float64(load.Keys("small"))/float64(load.Total))
	// Output: small has 25 %
}

func ExampleRendezvous_HashedBy() {
	r, _ := ring.NewRendezvous(towers(5))
	same := ring.Moved(r, r.HashedBy(ring.KeyHash), letters(100))
	fmt.Println(same.Moved)
	// Output: 0
}

func ExampleScore() {
	key := ring.KeyHash("foo")
	var best string
	var high uint64
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if score := ring.Score(key, ring.KeyHash(name)); best == "" || score > high {
			best, high = name, score
		}
	}
	fmt.Println(best)
	// Output: d
}

func ExampleKeyHash() {
	fmt.Println(ring.Jump(ring.KeyHash("letter-7"), 10))
	// Output: 6
}

func ExampleJump() {
	fmt.Println(ring.Jump(42, 57), ring.Jump(42, 0))
	// Output: 43 -1
}

func ExampleBounded() {
	b := ring.NewBounded(lessonRing(towers(4), 100), 1.25)
	for range 100 {
		b.Add("hot") // A ring alone would send all of them to one tower.
	}
	for _, n := range b.Nodes() {
		fmt.Println(n.Name, b.Held(n.Name))
	}
	// Output:
	// T-1 6
	// T-2 31
	// T-3 32
	// T-4 31
}

func ExampleNewBounded() {
	r := lessonRing(towers(4), 100)
	free := ring.NewBounded(r, math.Inf(1))
	fmt.Println(ring.Moved(r, free, letters(1000)).Moved)
	// Output: 0
}

func ExampleBounded_Use() {
	r := lessonRing(towers(3), 100)
	b := ring.NewBounded(r, 1.5)
	name, _ := b.Add("letter-7")
	b.Use(r.Without(name))
	fmt.Println(b.Held(name), "held by the one that left")
	// Output: 0 held by the one that left
}

func ExamplePlacement() {
	rendezvous, _ := ring.NewRendezvous(towers(4))
	for _, p := range []ring.Placement{lessonRing(towers(4), 100), ring.NewModulo(names(towers(4))), rendezvous} {
		owner, _ := p.Owner("letter-7")
		fmt.Printf("%T says %s\n", p, owner)
	}
	// Output:
	// *ring.Ring says T-1
	// *ring.Modulo says T-1
	// *ring.Rendezvous says T-1
}

func ExampleLoad_Keys() {
	load := ring.Spread(lessonRing(towers(4), 100), letters(2000))
	fmt.Println(load.Keys("T-1"), load.Keys("T-9"))
	// Output: 564 0
}

func ExampleModulo() {
	before, after := ring.NewModulo([]string{"a", "b"}), ring.NewModulo([]string{"b", "a"})
	fmt.Println(ring.Moved(before, after, letters(100)).Moved, "of 100 letters move because the order changed")
	// Output: 100 of 100 letters move because the order changed
}

func ExampleRendezvous() {
	eight, _ := ring.NewRendezvous(towers(8))
	nine, _ := ring.NewRendezvous(towers(9))
	m := ring.Moved(eight, nine, letters(100_000))
	fmt.Printf("%.0f %% move, %d letters for no reason\n", 100*m.Share(), m.Wrong)
	// Output: 11 % move, 0 letters for no reason
}

func ExampleRendezvous_Owner() {
	r, _ := ring.NewRendezvous([]ring.Node{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}})
	fmt.Println(r.Owner("foo"))
	// Output: d true
}

func ExampleBounded_Add() {
	b := ring.NewBounded(lessonRing(towers(2), 100), 1)
	first, _ := b.Add("hot")
	second, _ := b.Add("hot") // The first tower is full: with two letters, each may have one.
	fmt.Println(first, second)
	// Output: T-2 T-1
}

func ExampleBounded_Done() {
	b := ring.NewBounded(lessonRing(towers(4), 100), 1.25)
	name, ok := b.Add("letter-7")
	if !ok {
		return
	}
	defer b.Done(name)
	fmt.Println(name, "holds", b.Held(name), "and may hold", b.Bound(name))
	// Output: T-1 holds 1 and may hold 1
}

func ExampleBounded_Owner() {
	b := ring.NewBounded(lessonRing(towers(2), 100), 1)
	fmt.Println(b.Owner("hot"))
	b.Add("hot")
	fmt.Println(b.Owner("hot"))
	// Output:
	// T-2 true
	// T-1 true
}
