package formula

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/dop251/goja"
)

// An engine is Temml in an interpreter of its own. One goroutine at a time may use it.
type engine struct {
	vm       *goja.Runtime
	toMarkup goja.Callable // temml.renderToString(tex, options)
}

// newEngine reads the script, which leaves a global named temml.
func newEngine(script string) (*engine, error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(deepestCalls)
	if _, err := vm.RunScript("temml.js", script); err != nil {
		return nil, fmt.Errorf("run temml.js: %w", err)
	}
	temml := vm.Get("temml")
	if temml == nil || goja.IsUndefined(temml) {
		return nil, errors.New("temml.js defines no temml; it should be the file temml.min.js of the package")
	}
	f, ok := goja.AssertFunction(temml.ToObject(vm).Get("renderToString"))
	if !ok {
		return nil, errors.New("temml.js has no function renderToString")
	}
	return &engine{vm: vm, toMarkup: f}, nil
}

// render gives Temml's markup as it is. Temml's own complaint is an [*Error]; any other error
// is an accident, after which the engine should not be used again.
func (e *engine) render(tex string, display bool) (string, error) {
	guard := time.AfterFunc(longestTime, func() { e.vm.Interrupt("time is up") })
	defer guard.Stop()
	out, err := e.toMarkup(goja.Undefined(), e.vm.ToValue(tex), e.vm.ToValue(map[string]any{
		"displayMode":  display,
		"throwOnError": true,
		"maxExpand":    mostExpanded,
		"maxSize":      []float64{20, 20},
	}))
	if err == nil {
		return out.String(), nil
	}
	var stopped *goja.InterruptedError
	if errors.As(err, &stopped) {
		return "", fmt.Errorf("the formula takes longer than %v to render", longestTime)
	}
	var thrown *goja.Exception
	if !errors.As(err, &thrown) {
		return "", fmt.Errorf("the formula is too deeply nested: %w", err)
	}
	object, ok := thrown.Value().(*goja.Object)
	if !ok || object.Get("name") == nil || object.Get("name").String() != "ParseError" {
		return "", fmt.Errorf("the renderer of formulas failed: %w", err)
	}
	mistake := &Error{Message: tidy(object.Get("message").String())}
	if at := object.Get("position"); at != nil && !goja.IsUndefined(at) {
		mistake.Offset = runes(tex, int(at.ToInteger()))
	}
	return "", mistake
}

// place is where Temml repeats the position and a piece of the formula; the caller has both.
var place = regexp.MustCompile(`(?s) at (position \d+|end of input): .*$`)

// tidy makes of Temml's message one that reads on after file:line:column.
func tidy(message string) string {
	message = strings.TrimSpace(place.ReplaceAllString(message, ""))
	if message == "" {
		return "the formula cannot be read"
	}
	return "formula: " + strings.ToLower(message[:1]) + message[1:]
}

// runes turns an offset in JavaScript's 16-bit units into one in characters.
func runes(s string, units int) int {
	n := 0
	for _, r := range s {
		if units <= 0 {
			break
		}
		units -= utf16.RuneLen(r)
		n++
	}
	return n
}
