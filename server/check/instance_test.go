package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
)

// newInstance is one with the given output limit, whose program has not begun.
func newInstance(output int) *instance {
	return &instance{
		byID: make(map[int32]int), flood: &flood{left: floodFactor * output},
		out: newRecorder(output), err: newRecorder(output), logs: newRecorder(output),
	}
}

// The largest report that a program can bring about still fits into a frame: every byte of it
// takes six in JSON, and there are more subtests, logs and names than are kept.
func TestLargestReportFitsAFrame(t *testing.T) {
	output := DefaultCeiling().Output
	i := newInstance(output)
	hostile := bytes.Repeat([]byte{1}, output/8)
	for id := range int32(2 * maxSubtests) {
		over := i.event(kindBegin, id+1, id, hostile[:100]) || i.event(kindLog, id+1, 0, hostile)
		if over {
			break
		}
	}
	if i.end != endOutput {
		t.Errorf("after %d subtests the end is %q, want %q", len(i.subs), i.end, endOutput)
	}
	for range 8 {
		i.logs.add(hostile)
		i.out.add(hostile)
		i.err.add(hostile)
	}
	i.trace = string(hostile)
	text, err := json.Marshal(testEvent{Report: new(i.report(nil, false, true, 0))})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d subtests, %d MiB", len(i.subs), len(text)>>20)
	if len(text) > maxHeader {
		t.Errorf("a report has %d bytes and a frame's header at most %d", len(text), maxHeader)
	}
}

// Long names are cut between two characters, however many subtests there are.
func TestSubtestsNamesAreCut(t *testing.T) {
	i := newInstance(DefaultCeiling().Output)
	for id := range int32(maxSubtests + 1) {
		i.event(kindBegin, id+1, 0, fmt.Appendf(nil, "T/%d/%s", id, bytes.Repeat([]byte("é"), 5000)))
	}
	for _, s := range i.subs {
		if len(s.Name) > longestName+len("…") || !bytes.HasSuffix([]byte(s.Name), []byte("é…")) {
			t.Fatalf("a subtest is called %q", s.Name)
		}
	}
	if len(i.subs) != maxSubtests {
		t.Errorf("%d subtests are kept, want %d", len(i.subs), maxSubtests)
	}
}

// A late subtest's log is kept as an early one's is, as long as they are not too much together.
func TestLateSubtestsHaveLogsToo(t *testing.T) {
	i := newInstance(DefaultLimits().Output)
	for id := range int32(maxSubtests) {
		i.event(kindBegin, id+1, 0, []byte("T/sub"))
	}
	i.event(kindLog, maxSubtests, 0, []byte("got 1, want 2"))
	if got := i.report(nil, false, false, 0).Subtests[maxSubtests-1].Logs; got != "got 1, want 2\n" {
		t.Errorf("the last subtest's log is %q", got)
	}
}
