//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// someone is a visitor whom the server knows already, so that what they do at once is done by
// one and the same.
func someone(t testing.TB, base string) *visitor {
	t.Helper()
	v := newVisitor(t)
	if a, err := v.do(t.Context(), http.MethodPost, base+"/api/lessons/03-the-ring/read", ""); err != nil || a.status != http.StatusNoContent {
		t.Fatalf("read a lesson: status %d, %v", a.status, err)
	}
	return v
}

// tries are the ids of what somebody has sent in for an exercise, the newest first.
func (v *visitor) tries(ctx context.Context, base, exercise string) ([]string, error) {
	lesson, name, _ := strings.Cut(exercise, "/")
	a, err := v.do(ctx, http.MethodGet, base+"/api/lessons/"+lesson+"/exercises/"+name+"/submissions", "")
	if err != nil {
		return nil, err
	}
	var list struct {
		Tries []struct {
			ID string `json:"id"`
		} `json:"tries"`
	}
	if err := json.Unmarshal(a.body, &list); err != nil {
		return nil, fmt.Errorf("status %d, %q: %w", a.status, a.body, err)
	}
	ids := make([]string, len(list.Tries))
	for i, t := range list.Tries {
		ids[i] = t.ID
	}
	return ids, nil
}

// event asks for the news of a submission, and gives the newest.
func (v *visitor) event(ctx context.Context, base, id string) (news, error) {
	a, err := v.do(ctx, http.MethodGet, base+"/api/submissions/"+id+"?after=0", "")
	if err != nil {
		return news{}, err
	}
	var n news
	if err := json.Unmarshal(a.body, &n); err != nil {
		return news{}, fmt.Errorf("status %d, %q: %w", a.status, a.body, err)
	}
	return n, nil
}

// postForm sends a form and follows no redirect.
func (v *visitor) postForm(ctx context.Context, address string, fields ...string) (answer, error) {
	values := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(values.Encode()))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := *v.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, b}, err
}

const password = "four words in a row"

// form sends a form that has to lead somewhere.
func (v *visitor) form(t testing.TB, address string, fields ...string) {
	t.Helper()
	if a, err := v.postForm(t.Context(), address, fields...); err != nil || a.status != http.StatusSeeOther {
		t.Fatalf("%s: status %d, %v: %s", address, a.status, err, a.body)
	}
}

// copied is another browser with the same cookies: what somebody has who stole them, or who
// was quick enough to use them twice.
func (v *visitor) copied(t testing.TB, base string) *visitor {
	t.Helper()
	home, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(home, v.client.Jar.Cookies(home))
	return &visitor{&http.Client{Jar: jar, Timeout: v.client.Timeout}}
}
