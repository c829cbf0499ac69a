package web

import (
	"strings"
	"time"

	"github.com/ringoftowers/towers/lessons"
)

// AccountPage is where a reader signs up and in and out, and sees to what is kept of them.
type AccountPage struct {
	Assets Assets
	Course *lessons.Course
	Reader Reader
	Since  time.Time // of the reader's first visit; zero for somebody new
	Back   string    // where to go after signing in
	Done   string    // what was just done: out, password, deleted or instructor; empty for nothing

	SignUp, SignIn SignForm
	Password       PasswordForm
	DeleteFault    string // why nothing was deleted, and what to do
	Invitation     string // the address of one that was just made, which is shown once
}

// SignForm is a form with a name and a password, as it was filled in and with what is wrong.
// What was typed as a password is never shown again.
type SignForm struct {
	Name                     string
	NameFault, PasswordFault string // what is wrong with a field, and what to do
	Fault                    string // what is wrong with the whole
}

// Faulty reports whether anything is wrong with a field.
func (f SignForm) Faulty() bool { return f.NameFault != "" || f.PasswordFault != "" }

// PasswordForm is the form for another password, with what is wrong with its fields.
type PasswordForm struct{ OldFault, NewFault string }

// JoinPage shows an invitation to be an instructor.
type JoinPage struct {
	Assets Assets
	Reader Reader
	Token  string // of the invitation
	Fault  string // why it could not be used; empty at first
}

// Confirmation is what somebody of that name has to type before everything of theirs is
// deleted. A guest has no name.
func Confirmation(name string) string {
	if name == "" {
		return "delete"
	}
	return name
}

// told is what a page says at its top after something was done.
func (p AccountPage) told() string {
	switch p.Done {
	case "out":
		return "You are signed out. What you do from now on is a new guest’s."
	case "password":
		return "The new password counts from now on. Wherever else you were signed in, you are signed out."
	case "deleted":
		return "Everything that was kept of you is deleted."
	case "instructor":
		return "You are an instructor now."
	}
	return ""
}

// left reports whether somebody is not known here any more. What the browser keeps of them by
// itself goes then, see src/leaving.ts.
func (p AccountPage) left() bool { return p.Done == "out" || p.Done == "deleted" }

// kept counts in words what is kept of a reader; it is empty where that is nothing.
func kept(r Reader) string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{len(r.Read), "lesson read", "lessons read"},
		{len(r.Passed), "exercise passed", "exercises passed"},
		{len(r.Answers), "question answered", "questions answered"},
	} {
		if part.n > 0 {
			parts = append(parts, plural(part.n, part.one, part.many))
		}
	}
	return oneAndAnother(parts)
}

// asGuest tells a guest where they stand.
func asGuest(r Reader) string {
	with := ""
	if count := kept(r); count != "" {
		with = ", with " + count
	}
	return "You are here as a guest" + with + ". Only this browser knows what you did."
}

// A field is one line of a form.
type field struct {
	id, label, name, value string
	password               bool
	complete               string // what the browser may fill in
	hint, fault            string
	about                  string // the id of what is wrong with the form as a whole; empty when nothing is
	focus                  bool   // the reader goes on here
}

func (f field) kind() string {
	if f.password {
		return "password"
	}
	return "text"
}

// described names what stands below the field, and below its form.
func (f field) described() string {
	var ids []string
	if f.hint != "" {
		ids = append(ids, f.id+"-hint")
	}
	if f.fault != "" {
		ids = append(ids, f.id+"-fault")
	}
	if f.about != "" {
		ids = append(ids, f.about)
	}
	return strings.Join(ids, " ")
}

// nameField is the name in a form for signing in or up, and passwordField the password. Of what is
// wrong the first is where the reader goes on; what is wrong with both is told at the password,
// which has to be typed again.
func (f SignForm) nameField(form, hint string) field {
	return field{id: form + "-name", label: "Name", name: "name", value: f.Name, complete: "username", hint: hint,
		fault: f.NameFault, focus: f.NameFault != ""}
}

func (f SignForm) passwordField(form, complete, hint string) field {
	of := field{id: form + "-password", label: "Password", name: "password", password: true, complete: complete, hint: hint,
		fault: f.PasswordFault, focus: f.NameFault == "" && f.PasswordFault+f.Fault != ""}
	if f.Fault != "" {
		of.about = form + "-fault"
	}
	return of
}

func accountTitle(r Reader) string {
	if r.Name == "" {
		return "Sign in"
	}
	return "Your account"
}
