// Package ring places keys on nodes that come and go, and measures what a change moves.
//
// The usual rule, hash(key) mod n, sends almost every key elsewhere when n changes. The rules
// here do not: a [Ring] with virtual nodes, its variant with bounded loads ([Bounded]), weighted
// [Rendezvous] hashing and [Jump]. [Modulo] stands beside them for comparison, and [Moved],
// [Spread] and [Diff] put numbers on the difference.
//
// # Choosing
//
// A Ring serves many named, unequal nodes that fail: a look-up costs the same for eight nodes as
// for a thousand. Rendezvous needs no tuning and spreads nearly perfectly, but asks every node at
// each look-up, so it suits fleets of up to about thirty. Jump needs no memory at all, but its
// buckets are numbers, and only the last of them can leave.
//
// # What holds for all of it
//
// Everything is a function of its arguments: there is no I/O, no clock and no randomness, and
// neither the order in which nodes are listed nor that of any map has a say (save for Modulo, whose
// rule is the order). The same nodes and options give the same placement on every platform and in
// WebAssembly. Rings, Rendezvous and Modulo are immutable; any number of goroutines may read
// them, and a change makes a new value. A server keeps its present ring in an [atomic.Pointer].
//
// # What it leaves to others
//
// The package says where a key belongs. It does not know whether a node is alive, does not agree
// with other processes on the list of members, and moves no data: when a change reassigns keys,
// copying what they stand for is the caller's work.
//
// # Where the rules come from
//
//   - The ring: Karger et al., "Consistent Hashing and Random Trees", STOC 1997. Virtual nodes in
//     the form of 160 points a server come from libketama; [Ketama] and [Libketama] place keys
//     as nginx and libketama do, point for point.
//   - Rendezvous, or highest random weight: Thaler and Ravishankar, "Using Name-Based Mappings to
//     Increase Hit Rates", IEEE/ACM Transactions on Networking, 1998.
//   - Jump: Lamping and Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014.
//   - Bounded loads: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads",
//     SODA 2018.
//
// It is small enough for a browser: a WebAssembly program that uses it grows by some kilobytes, as
// nothing in it needs fmt, and what a program does not call is left out.
//
// [atomic.Pointer]: https://pkg.go.dev/sync/atomic#Pointer
package ring
