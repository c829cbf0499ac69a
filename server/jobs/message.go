package jobs

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ringoftowers/towers/server/check"
)

// Where messages go. A submission's id is the last word of a subject.
const (
	checksStream   = "TOWERS_CHECKS"  // jobs, until a worker has acknowledged them
	resultsStream  = "TOWERS_RESULTS" // verdicts, until they are recorded
	checksSubject  = "towers.checks."
	resultsSubject = "towers.results."
	eventsSubject  = "towers.events." // how a check comes along; not kept
	workersSubject = "towers.workers" // workers say that they are there; not kept
	workersName    = "workers"        // the consumer that all workers share
	recorderName   = "recorder"       // the consumer of verdicts
	mostPlain      = 16 << 10         // bytes of a message that is sent as it is
	mostUnpacked   = 64 << 20         // bytes of a message: whatever is more was not sent by us
	gzipBegins     = "\x1f\x8b"       // no JSON does
)

// A job is everything that a worker needs to know of one submission.
type job struct {
	ID string
	// Round tells the sendings of one submission apart: it grows each time it is queued anew,
	// though not when the stream delivers it again.
	Round    int64
	Source   []byte
	Exercise check.Exercise
}

// A result is a worker's answer to a job.
type result struct {
	ID      string
	Round   int64
	Verdict check.Verdict
	Fault   string // why there is no verdict; empty if there is one
}

// failed reports whether the submission must be judged again.
func (r result) failed() bool {
	return r.Fault != "" || r.Verdict.Verdict == "" || r.Verdict.Verdict == check.Internal
}

// A snapshot is how far a worker has come with a job.
type snapshot struct {
	ID       string
	Round    int64
	Delivery uint64 // the stream's count of deliveries of this round, from 1
	Verdict  check.Verdict
}

// A greeting says that a worker is there, and with how many hands. With none it is leaving.
type greeting struct {
	Worker string
	Slots  int
}

// messageID names a sending, so that the stream drops one that comes twice.
func messageID(id string, round int64) string { return id + "." + strconv.FormatInt(round, 10) }

// splitMessageID is messageID's inverse.
func splitMessageID(s string) (id string, round int64, err error) {
	id, number, _ := strings.Cut(s, ".")
	if round, err = strconv.ParseInt(number, 10, 64); err != nil {
		return "", 0, fmt.Errorf("message id %q: %w", s, err)
	}
	return id, round, nil
}

// isWord reports whether an id can be the word of a subject and part of a message id.
func isWord(id string) bool {
	return id != "" && len(id) <= 100 && !strings.ContainsFunc(id, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && r != '-' && r != '_'
	})
}

// pack writes a message: JSON, which other versions of this program can read. A long one is
// compressed, because programs and their output shrink to a fifth; for a short one that is not
// worth the megabyte and the half millisecond that a compressor takes to begin.
func pack(message any) ([]byte, error) {
	text, err := json.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("pack a message: %w", err)
	}
	if len(text) <= mostPlain {
		return text, nil
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		_, err = z.Write(text)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("pack a message: %w", err)
	}
	return b.Bytes(), nil
}

// unpack reads what pack wrote.
func unpack(data []byte, message any) error {
	var text io.Reader = bytes.NewReader(data)
	if bytes.HasPrefix(data, []byte(gzipBegins)) {
		z, err := gzip.NewReader(text)
		if err != nil {
			return fmt.Errorf("unpack a message: %w", err)
		}
		text = io.LimitReader(z, mostUnpacked)
	}
	if err := json.NewDecoder(text).Decode(message); err != nil {
		return fmt.Errorf("unpack a message: %w", err)
	}
	return nil
}
