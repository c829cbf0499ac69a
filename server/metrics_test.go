package server

import (
	"fmt"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	v.submits("x")
	v.send("GET", ownerPage, "")
	v.send("BREW", "/", "")
	text := v.send("GET", "/metrics", "").Body.String()
	for _, want := range []string{
		`towers_requests_total{class="2xx",method="POST",route="/api/lessons/{lesson}/exercises/{exercise}/submissions"} 1`,
		`towers_requests_total{class="4xx",method="any",route="none"} 1`,
		`towers_request_seconds_count{method="GET",route="/lessons/{lesson}/exercises/{exercise}"} 1`,
		"towers_sockets_open 0", "towers_queue_waiting 3", "towers_queue_judged_total 7", "towers_queue_connected 1", "go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Whatever is asked for, the number of labels stays the same.
func TestMetricsTakeNoWordsFromOutside(t *testing.T) {
	s := newSite(t, workshop())
	v := s.visitor(t)
	count := func() int { return strings.Count(v.send("GET", "/metrics", "").Body.String(), "\n") }
	ask := func(i int) {
		for _, target := range []string{"/nowhere/%d", "/lessons/l%d", "/lessons/l%d/exercises/e%[1]d", "/api/submissions/s%d", "/static/f%d"} {
			v.send("GET", fmt.Sprintf(target, i), "")
		}
		v.send(fmt.Sprint("BREW", i), "/", "")
	}
	count()
	ask(0)
	before := count()
	for i := range 20 {
		ask(i + 1)
	}
	if after := count(); after != before {
		t.Errorf("%d lines became %d", before, after)
	}
}
