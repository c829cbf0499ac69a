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

// Whoever hears a page finds out what is wrong: the keyboard is at one place, which is described
// by it.
func TestFaultsOfFormsAreWhereTheKeyboardIs(t *testing.T) {
	course := embedded(t)
	for name, c := range map[string]struct {
		page  AccountPage
		focus string // a part of the one field that has the keyboard
	}{
		"nothing":     {AccountPage{}, ""},
		"the pair":    {AccountPage{SignIn: SignForm{Fault: "wrong"}}, `id="in-password" type="password" name="password" value="" autocomplete="current-password" autocapitalize="none" spellcheck="false" required aria-describedby="in-fault"`},
		"the name":    {AccountPage{SignUp: SignForm{NameFault: "short"}}, `aria-describedby="up-name-hint up-name-fault" aria-invalid="true"`},
		"both fields": {AccountPage{SignUp: SignForm{NameFault: "short", PasswordFault: "short"}}, `aria-describedby="up-name-hint up-name-fault" aria-invalid="true"`},
		"a password":  {AccountPage{SignUp: SignForm{PasswordFault: "short"}}, `aria-describedby="up-password-hint up-password-fault" aria-invalid="true"`},
	} {
		c.page.Course, c.page.Reader.Kept = course, true
		page := render(t, Account(c.page))
		n := strings.Count(page, " autofocus")
		if c.focus == "" && n != 0 || c.focus != "" && (n != 1 || !strings.Contains(page, c.focus+" autofocus")) {
			t.Errorf("where %s is wrong, %d fields have the keyboard, and none of them is %s", name, n, c.focus)
		}
	}
}
