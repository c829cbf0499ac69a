// Package store keeps what must not be lost: who learns here, what they sent in, the verdicts,
// their drafts, notes and progress, and their sessions. It is one SQLite file.
//
// What a caller was told is written has reached the disk: the file is in WAL mode with full
// synchronisation, there is one writer, and each change is one transaction. A verdict is
// recorded once; whoever comes second changes nothing.
//
// It knows nothing of HTTP, of lessons, of queues or of how a submission is checked: lessons
// and exercises are names to it, a verdict is a word and a JSON text.
package store
