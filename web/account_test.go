package web

import (
	"strings"
	"testing"
)

// Only where somebody is known no more is the browser told to forget them.
func TestAccountSaysWhoHasLeft(t *testing.T) {
	course := embedded(t)
	for done, left := range map[string]bool{"out": true, "deleted": true, "": false, "password": false, "instructor": false, "anything": false} {
		page := render(t, Account(AccountPage{Course: course, Reader: Reader{Kept: true}, Done: done}))
		if strings.Contains(page, "data-left") != left {
			t.Errorf("after %q the page says that somebody has left: %t, want %t", done, !left, left)
		}
	}
	ada := Reader{Kept: true, Name: "Ada"}
	var b strings.Builder
	if err := Account(AccountPage{Course: course, Reader: ada}).Render(WithReader(t.Context(), ada), &b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if !strings.Contains(page, `<who-reads data-reader="Ada">`) || strings.Count(page, "<take-leave") != 2 || strings.Count(page, "data-asks") != 1 {
		t.Error("the forms for signing out and for deleting do not see to what the browser keeps, or only one asks")
	}
}
