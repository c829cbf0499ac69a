package server

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryAnswerIsSecured(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, target := range []string{"/", "/lessons/03-the-ring", "/static/lesson-11.js", "/favicon.ico", "/healthz", "/lessons", "/nowhere"} {
		h := ask(s, "GET", target).Header()
		policy := strings.Split(h.Get("Content-Security-Policy"), "; ")
		for _, want := range []string{"default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'"} {
			if !slices.Contains(policy, want) {
				t.Errorf("%s: no %q among %q", target, want, policy)
			}
		}
		if strings.Contains(h.Get("Content-Security-Policy"), "unsafe-inline") {
			t.Errorf("%s: the policy lets inline code in", target)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", target, name, got, want)
			}
		}
		if h.Get("Permissions-Policy") == "" {
			t.Errorf("%s: no Permissions-Policy", target)
		}
	}
}

func TestOtherSitesChangeNothing(t *testing.T) {
	s, _ := mustNew(t, course(), built())
	for _, c := range []struct {
		method string
		header string
		want   int
	}{
		{"POST", "Sec-Fetch-Site: cross-site", 403},
		{"POST", "Origin: https://elsewhere.example", 403},
		{"POST", "Sec-Fetch-Site: same-origin", 405}, // let through, though nobody answers yet
		{"GET", "Sec-Fetch-Site: cross-site", 200},   // a link from elsewhere
	} {
		if w := ask(s, c.method, "/", c.header); w.Code != c.want {
			t.Errorf("%s with %s: status %d, want %d", c.method, c.header, w.Code, c.want)
		}
	}
}
