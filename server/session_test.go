package server

import (
	"crypto/tls"
	"net/http/httptest"
	"testing"
)

func TestCookiesAreSecureWhereTheBrowserUsesTLS(t *testing.T) {
	for _, c := range []struct {
		name, from, proto string
		tls, want         bool
	}{
		{name: "plain", from: "198.51.100.1:1"},
		{name: "TLS here", from: "198.51.100.1:1", tls: true, want: true},
		{name: "TLS at a proxy here", from: "127.0.0.1:1", proto: "https", want: true},
		{name: "plain at a proxy here", from: "127.0.0.1:1", proto: "http"},
		{name: "a stranger's word", from: "198.51.100.1:1", proto: "https"},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.RemoteAddr = c.from
		r.Header.Set("X-Forwarded-Proto", c.proto)
		if c.tls {
			r.TLS = new(tls.ConnectionState)
		}
		w := httptest.NewRecorder()
		setCookie(w, r, "token", 60)
		if cookie := w.Result().Cookies()[0]; cookie.Secure != c.want || !cookie.HttpOnly {
			t.Errorf("%s: %v, want Secure %v and HttpOnly", c.name, cookie, c.want)
		}
	}
}
