// Package check judges one submission: a learner's Go file and an exercise's tests in, a verdict
// out.
//
// It works in four stages. vet reads the file with the parser alone and refuses what may never be
// compiled. build compiles and links it with the tests to WebAssembly. run executes the program,
// each top-level test in an instance of its own. judge turns what was seen into a verdict.
//
// Nothing of a learner's program is type-checked, compiled or run inside the calling process.
// That happens in child processes of the same binary, started ahead of need and, where something
// is built or run, used once: a program that wants to use check calls [RunChild] as the first thing
// in main. On Linux a child has limits on CPU, data and file size, its own process group, no
// environment, no new privileges, a Landlock domain that holds the toolchain and one working folder
// (nothing at all where the program runs) and a seccomp filter. On other Unix systems limits and
// process groups remain; elsewhere only the deadline does, and the boundary is WebAssembly's own:
// do not open such a server to strangers.
//
// Beside verdicts there are two things for while a learner types: [Format], which needs no child,
// and [Checker.Types], which asks a child that has the same walls, holds no file, and is used for
// many files one after the other, because it runs nothing of them.
//
// A verdict rests on positive evidence only: the names of the expected tests are read from the
// instructor's file, and the harness inside the program reports each of them through a host
// function that a learner's package cannot import. What a program prints is shown and never
// judged.
//
// The package knows nothing of lessons, HTTP, queues or storage.
package check
