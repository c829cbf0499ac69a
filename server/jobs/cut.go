package jobs

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ringoftowers/towers/server/check"
)

// eventOutput is how many bytes of each test's output an unfinished event has.
const eventOutput = 4 << 10

// headroom is what a message needs besides its body: subject and headers.
const headroom = 4 << 10

var errTooBig = errors.New("the message is too big for the NATS server")

// cut shortens what tests printed to about limit bytes each, head and tail with the cut marked
// between them. It returns a verdict that shares no test with v.
func cut(v check.Verdict, limit int) check.Verdict {
	v.Tests = cutTests(v.Tests, limit, &v.OutputCut)
	return v
}

func cutTests(tests []check.Test, limit int, any *bool) []check.Test {
	if tests == nil {
		return nil
	}
	short := make([]check.Test, len(tests))
	for n, t := range tests {
		if len(t.Output) > limit {
			t.Output = headAndTail(t.Output, limit)
			*any = true
		}
		t.Subtests = cutTests(t.Subtests, limit, any)
		short[n] = t
	}
	return short
}

// headAndTail keeps about limit bytes of a text, and whole characters.
func headAndTail(text string, limit int) string {
	head, tail := limit/2, len(text)-(limit-limit/2)
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes are left out here …]\n%s", text[:head], tail-head, text[tail:])
}

// fit packs what wrap makes of a verdict in at most most bytes. Where the whole verdict does not
// fit, it gives up as little as it can: the middle of long outputs first, then subtests.
func fit(v check.Verdict, most int, wrap func(check.Verdict) any) ([]byte, error) {
	data, err := pack(wrap(v))
	for limit := 64 << 10; err == nil && len(data) > most && limit >= 64; limit /= 4 {
		data, err = pack(wrap(cut(v, limit)))
	}
	if err == nil && len(data) > most {
		data, err = pack(wrap(bare(v)))
	}
	if err == nil && len(data) > most {
		err = fmt.Errorf("%w: %d bytes, at most %d", errTooBig, len(data), most)
	}
	return data, err
}

// bare leaves of a verdict what no exercise can make long: no outputs, no subtests, and the first
// words of messages.
func bare(v check.Verdict) check.Verdict {
	v.OutputCut = true
	tests := make([]check.Test, len(v.Tests))
	for n, t := range v.Tests {
		t.Output, t.Subtests, t.Message = "", nil, short(t.Message)
		tests[n] = t
	}
	v.Tests = tests
	v.Diagnostics = append([]check.Diagnostic{}, v.Diagnostics[:min(len(v.Diagnostics), 20)]...)
	for n := range v.Diagnostics {
		v.Diagnostics[n].Message = short(v.Diagnostics[n].Message)
	}
	v.Message, v.Command = short(v.Message), short(v.Command)
	return v
}

func short(text string) string {
	const most = 500
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
