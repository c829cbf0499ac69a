// Package store keeps what must not be lost: who learns here, what they sent in, the verdicts,
// their drafts, notes and progress, and their sessions. It is one SQLite file.
//
// # What a caller can rely on
//
// What a caller was told is written has reached the disk: the file is in WAL mode with full
// synchronisation, there is one writer, and each change is one transaction. A verdict is
// recorded once; whoever comes second changes nothing. A change that finds no room says
// ErrFull and has changed nothing, and the same Store goes on when there is room again.
// Readers wait neither for the writer nor for each other.
//
// One process at a time has the file open as its server; a second one is refused with
// ErrInUse. BackupFile works beside it, from any process.
//
// # Names
//
// Two names are the same when they differ only in case, in Unicode's form (composed or not,
// full width, ligatures), in white space or in characters that show nothing: their NFKC forms
// after full case folding are compared. The name itself is kept as it was typed. Letters of
// different scripts that look alike are different.
//
// # What stays outside
//
// The package knows nothing of HTTP, of lessons, of queues or of how a submission is checked:
// lessons and exercises are names to it, a verdict is a word and a JSON text. Hashes of
// passwords are made elsewhere and are opaque; what a session says is opaque as well, and its
// token is kept only as a hash. It sets no limits on lengths: who takes the request does.
package store
