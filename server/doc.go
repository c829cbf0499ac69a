// Package server answers HTTP requests: it finds the lesson that is asked for, has package web
// draw it, and sends it so that a slow line and a small phone are well served.
//
// A route is a handler that may fail. All errors come to one place, fail, which makes a page of
// them that says what to do next, or that the fault is ours and what to quote. What a request
// passes on its way there (a number, the log, the security headers, the net under a panic, the
// refusal of foreign forms, the limits of one sender) is in Server.routes, in that order.
//
// What a learner sends in is in the store before the answer leaves, and comes back from there:
// whoever asks for a submission is asked who they are each time, and to anybody but its owner
// and instructors it does not exist. News of it come by a WebSocket, by a request that waits, or
// by loading the page again; each tells the whole state, so that none depends on another. All
// that a page does with a script it does without one too, by a form.
//
// It does not check programs, which package check does in processes of its own, nor decide whose
// turn it is, which package jobs does.
//
// It does not read flags, open listeners or catch signals: command towers does. Between two
// requests it keeps the built files, which never change while it runs, the lessons as they were
// drawn last, the open WebSockets, and for a while how often each sender asked.
package server
