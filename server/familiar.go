package server

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"github.com/ringoftowers/towers/server/store"
)

// A browser that has signed in to an account is familiar with it from then on, also when the
// session is over: it carries a token that nobody can make without the account's hash. It opens
// nothing and tells no name. Only, others who guess at the account do not hold this browser up.
// A new password makes all tokens of an account worthless.
const (
	familiarCookie  = "towers-familiar"
	familiarPath    = "/account" // is all that the cookie is for
	mostFamiliar    = 8          // accounts; a machine in a classroom has a few
	familiarNonce   = 12
	familiarMAC     = 18
	familiarPurpose = "a browser that has signed in"
)

// familiar gives the token by which a request's browser is familiar with a learner.
func familiar(r *http.Request, l store.Learner, hash string) (token string, ok bool) {
	if hash == "" {
		return "", false
	}
	for _, token := range familiarTokens(r) {
		if opensTo(token, l, hash) {
			return token, true
		}
	}
	return "", false
}

// befriend makes a request's browser familiar with a learner who has just signed in there, or
// has a new hash, in place of the one before.
func befriend(w http.ResponseWriter, r *http.Request, l store.Learner, hash, before string) {
	nonce := make([]byte, familiarNonce)
	_, _ = rand.Read(nonce) // never fails, by its documentation
	others := slices.DeleteFunc(familiarTokens(r), func(token string) bool { return opensTo(token, l, before) })
	tokens := append([]string{familiarToken(nonce, l, hash)}, others...)
	setFamiliar(w, r, tokens[:min(len(tokens), mostFamiliar)])
}

// familiarTokens are those that a browser claims to have, at most [mostFamiliar].
func familiarTokens(r *http.Request) []string {
	cookie, err := r.Cookie(familiarCookie)
	if err != nil || cookie.Value == "" {
		return nil
	}
	tokens := strings.Split(cookie.Value, ".")
	return tokens[:min(len(tokens), mostFamiliar)]
}

func setFamiliar(w http.ResponseWriter, r *http.Request, tokens []string) {
	http.SetCookie(w, &http.Cookie{
		Name: familiarCookie, Value: strings.Join(tokens, "."), Path: familiarPath, MaxAge: int(remembered.Seconds()),
		HttpOnly: true, Secure: byTLS(r), SameSite: http.SameSiteLaxMode,
	})
}

func familiarToken(nonce []byte, l store.Learner, hash string) string {
	mac := hmac.New(sha256.New, []byte(hash))
	mac.Write([]byte(familiarPurpose))
	mac.Write(nonce)
	mac.Write([]byte(l.ID))
	return base64.RawURLEncoding.EncodeToString(append(slices.Clone(nonce), mac.Sum(nil)[:familiarMAC]...))
}

// opensTo reports whether a token was made for a learner with that hash.
func opensTo(token string, l store.Learner, hash string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != familiarNonce+familiarMAC {
		return false
	}
	return hmac.Equal([]byte(token), []byte(familiarToken(raw[:familiarNonce], l, hash)))
}
