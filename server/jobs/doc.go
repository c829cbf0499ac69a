// Package jobs carries submissions from the page to a checker, and the news back.
//
// A submission is a row in the ledger before it is a message here, and a verdict is the ledger's
// first-writer-wins. So this package may lose messages but never submissions: at start, after an
// outage and from time to time it compares what it holds with the rows and sends again whatever
// has no verdict and is under way nowhere. Delivery is therefore at least once, and recording is
// exactly once.
//
// Messages go through NATS JetStream: a server inside this process by default, a cluster
// elsewhere if asked. Its streams are in memory, since what they lose is sent again. Who is judged
// next is decided here and not by the stream, which at any moment holds only about two submissions
// for each hand: learners come before re-checks, and among learners the one with least under way
// comes first. A message carries the whole job, so a worker needs neither the ledger nor the
// lessons; see [Work].
//
// One Queue at a time may use a NATS account, and whoever can reach that account is trusted: a
// worker's verdict is believed. Give it credentials.
//
// The package knows nothing of HTTP, of lessons or of how a check is done.
package jobs
