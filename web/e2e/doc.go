// Package e2e looks at the pages as a reader does: in a real browser, with the mouse and the
// keyboard, by the names that a screen reader says.
//
// There are only tests here, and what they need: a browser (one for all of them), a server for
// each on a port of its own with the files as they were built, and a tab in which nothing of an
// earlier test is left. A tab is also a witness: an error in the console, a breach of the
// security policy or a request that failed fails the test, whatever it was about.
//
// What only teaches is served from within the test. What keeps, checks and judges is shown by a
// workshop: the binary that make build leaves, as a process with a folder of its own, one for all
// tests that do not kill it. It finds its toolchain prepared in the user's cache folder, under
// towers-check-test; the first time that takes up to a minute.
//
// The browser is the one that TOWERS_BROWSER names, or else the first of chromium,
// chromium-browser, google-chrome and chrome that is found. Without one the tests are left
// out, or fail where TOWERS_REQUIRE_BROWSER or CI is set. With TOWERS_SHOTS they leave pictures in the
// folder of that name.
//
// What can be judged without a browser is tested in packages web and server.
package e2e
