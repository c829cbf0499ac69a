// Package formula turns TeX into MathML on the server, so that a page needs neither a
// script nor a style sheet to show a formula.
//
// The work is done by Temml, a JavaScript library, in an interpreter within this process.
// Temml is fetched at build time into dist/ and is not part of the repository; a program
// built without it shows a formula as its TeX, and [Available] says so.
//
// What comes out has only MathML elements, and of their attributes only those that change
// nothing but the formula: no style, no handler, no link. The one class that is kept says
// how a cell of a table is aligned, "math-left" or "math-right": browsers have no attribute
// for it. Without rules for these the cells are centred, and as true as before.
package formula

import (
	"embed"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"sync"
	"time"
	"unicode/utf8"
)

// all: lets the folder be embedded while it holds nothing but its .gitignore.
//
//go:embed all:dist
var dist embed.FS

// bundle is where the build leaves Temml.
const bundle = "dist/temml.js"

// Available reports whether this program was built with Temml.
func Available() bool {
	_, err := fs.Stat(dist, bundle)
	return err == nil
}

// An Error is a mistake in a formula.
type Error struct {
	Offset  int // where in the TeX, in characters from 0; at most its length
	Message string
}

// Error gives the message alone: only the caller knows in which file the formula stands.
func (e *Error) Error() string { return e.Message }

// Limits on one formula. A formula in a lesson has about fifty characters; the limits keep a
// slip of the author, such as a macro that calls itself, from holding up everyone's pages.
const (
	longest      = 4096 // bytes of TeX
	mostExpanded = 1000 // macros expanded in one formula
	mostCached   = 4096 // formulas remembered; more are forgotten all at once
	deepestCalls = 600  // of functions in the interpreter
	longestTime  = 2 * time.Second
)

// A Renderer renders formulas and remembers them. Any number of goroutines may use one;
// they take turns. The first formula costs about 60 ms, since only then is Temml read;
// another costs about a millisecond, and one seen before nothing. An accident, such as a
// formula that took too long, is not remembered.
type Renderer struct {
	script string // Temml; empty in a program built without it

	turn   sync.Mutex
	engine *engine // made when first needed; dropped after an accident
	cache  map[source]result
}

type source struct {
	tex     string
	display bool
}

type result struct {
	html string
	err  error
}

// New makes a renderer with the Temml of this program, if it has one.
func New() *Renderer {
	script, err := fs.ReadFile(dist, bundle)
	if err != nil {
		script = nil
	}
	return newRenderer(string(script))
}

func newRenderer(script string) *Renderer {
	return &Renderer{script: script, cache: make(map[source]result)}
}

// HTML renders TeX as a math element: one that stands in a line of text, or with display one
// that stands alone. A mistake in the TeX is an [*Error]. In a program without Temml it gives
// what [Plain] does, and no error.
func (r *Renderer) HTML(tex string, display bool) (string, error) {
	switch {
	case len(tex) > longest:
		return "", &Error{Offset: utf8.RuneCountInString(tex[:longest]),
			Message: fmt.Sprintf("the formula is longer than %d bytes", longest)}
	case !utf8.ValidString(tex):
		return "", &Error{Message: "the formula is not UTF-8"}
	case r.script == "":
		return Plain(tex), nil
	}
	r.turn.Lock()
	defer r.turn.Unlock()
	key := source{tex, display}
	if known, ok := r.cache[key]; ok {
		return known.html, known.err
	}
	out, err := r.render(tex, display)
	// A mistake in the TeX stays one. Any other error may be that of a busy machine, and should
	// not stand in the page until the program ends.
	if mistake := (*Error)(nil); err != nil && !errors.As(err, &mistake) {
		return "", err
	}
	if len(r.cache) >= mostCached {
		clear(r.cache)
	}
	r.cache[key] = result{out, err}
	return out, err
}

// render asks the engine, which it makes first if there is none.
func (r *Renderer) render(tex string, display bool) (string, error) {
	if r.engine == nil {
		e, err := newEngine(r.script)
		if err != nil {
			return "", fmt.Errorf("start the renderer of formulas: %w", err)
		}
		r.engine = e
	}
	raw, err := r.engine.render(tex, display)
	if err != nil {
		if mistake := (*Error)(nil); !errors.As(err, &mistake) {
			// Not Temml's own complaint, so who knows how it left its variables.
			r.engine = nil
		}
		return "", err
	}
	return clean(raw)
}

// Plain is what stands for a formula that cannot be rendered: its TeX, as code.
func Plain(tex string) string {
	return `<code class="tex">` + html.EscapeString(tex) + `</code>`
}
