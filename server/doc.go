// Package server answers HTTP requests: it finds the lesson that is asked for, has package web
// draw it, and sends it so that a slow line and a small phone are well served.
//
// A route is a handler that may fail. All errors come to one place, fail, which makes a page of
// them that says what to do next, or that the fault is ours and what to quote. What a request
// passes on its way there (a number, the log, the security headers, the refusal of foreign
// forms, the net under a panic) is in Server.routes, in that order.
//
// It does not read flags, open listeners or catch signals: command towers does. Between two
// requests it keeps the built files, which never change while it runs, and the lessons as they
// were drawn last.
package server
