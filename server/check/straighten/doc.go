// Package straighten makes WebAssembly that the Go compiler wrote run faster, without changing what
// it does.
//
// Go's functions can be left and entered again in their middle, because goroutines switch there. So
// a function is one loop around a table of its places, and every jump, were it only to the next
// line, sets a variable and goes through that table: "if" and "for" cost an indirect branch each,
// and no engine can see the loops. Most of these jumps go to a place that is known. Program lets
// them go there directly:
//
//   - a jump forward leaves the blocks up to its target, for which the code lies in the right order;
//   - a jump back goes to a WebAssembly loop of its own, if nothing but jumps enters that part of
//     the function, that is, if it calls nothing that may switch goroutines;
//   - places that the table has then no use for are taken out of it, so that an engine need not
//     provide for a jump from there.
//
// In the functions that it writes anew, a comparison whose opposite is asked for becomes the
// opposite comparison.
//
// What does not look as the Go compiler writes it is left as it is. The result is as valid as the
// program was, and an engine validates it again: no mistake here could let a program out of its
// sandbox. It could make one do something else, if a release of Go came to enter functions in other
// places than these rules say: [Knows] tells for which releases they were tried.
package straighten
