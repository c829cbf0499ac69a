package jobs

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/ringoftowers/towers/server/check"
)

func TestJobArrivesWhole(t *testing.T) {
	sent := job{
		ID: "one", Round: 42,
		Source: []byte("not UTF-8: \xff\xfe and <html>"),
		Exercise: check.Exercise{
			Lesson: "03-the-ring", Name: "owner", Kind: check.KindTests, Tests: []byte("t"), Start: []byte("s"),
			Solution: []byte("so"), Wrong: map[string][]byte{"a.go": []byte("w")}, Imports: []string{"sort"},
			Limits: check.Limits{Source: 1, Build: time.Second, Test: 2 * time.Millisecond, Run: 3, Memory: 4, Output: 5},
		},
	}
	data, err := pack(sent)
	if err != nil {
		t.Fatal(err)
	}
	var got job
	if err := unpack(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sent) {
		t.Errorf("arrived as %+v, sent as %+v", got, sent)
	}
}

func TestMessageIDs(t *testing.T) {
	id, round, err := splitMessageID(messageID("a-B_9", 1234567890123456))
	if id != "a-B_9" || round != 1234567890123456 || err != nil {
		t.Errorf("split into %q, %d, %v", id, round, err)
	}
	for _, s := range []string{"", "a", "a.", "a.b", "a.1.2"} {
		if _, _, err := splitMessageID(s); err == nil {
			t.Errorf("%q was split", s)
		}
	}
}

func TestIsWord(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "A-z_09": true, strings.Repeat("a", 100): true,
		"": false, "a.b": false, "*": false, ">": false, "a b": false, "ä": false, "a\n": false, strings.Repeat("a", 101): false,
	} {
		if isWord(id) != want {
			t.Errorf("isWord(%q) = %v", id, !want)
		}
	}
}

// Nothing that arrives may end the process or take all its memory.
func FuzzUnpack(f *testing.F) {
	for _, source := range []string{"", strings.Repeat("package exercise\n", mostPlain)} {
		good, err := pack(job{ID: "one", Source: []byte(source)})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(good)
		f.Add(good[:len(good)/2])
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		var j, again job
		if unpack(data, &j) != nil {
			return
		}
		packed, err := pack(j)
		if err == nil {
			err = unpack(packed, &again)
		}
		if err != nil || !reflect.DeepEqual(again, j) {
			t.Errorf("%+v became %+v, %v", j, again, err)
		}
	})
}

func TestHeadAndTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(100, 400, -1).Draw(t, "text")
		limit := rapid.IntRange(0, 90).Draw(t, "limit")
		got := headAndTail(text, limit)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is not UTF-8", got)
		}
		head, rest, found := strings.Cut(got, "\n[… ")
		_, tail, _ := strings.Cut(rest, " …]\n")
		if !found || !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || len(head)+len(tail) > limit {
			t.Fatalf("%q was cut to %q", text, got)
		}
	})
}

func TestCutLeavesTheOriginalAlone(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	v := check.Verdict{Tests: []check.Test{{Output: long, Subtests: []check.Test{{Output: long}, {Output: "short"}}}}}
	got := cut(v, 100)
	if v.Tests[0].Output != long || v.Tests[0].Subtests[0].Output != long || v.OutputCut {
		t.Error("the original was changed")
	}
	if !got.OutputCut || len(got.Tests[0].Output) > 200 || len(got.Tests[0].Subtests[0].Output) > 200 || got.Tests[0].Subtests[1].Output != "short" {
		t.Errorf("cut to %+v", got)
	}
}

// Whatever a verdict is like, what is sent fits, and says who passed.
func TestFit(t *testing.T) {
	const most = 20_000
	noise := make([]byte, 200_000)
	random := rand.NewChaCha8([32]byte{})
	for i := range noise {
		noise[i] = ' ' + byte(random.Uint64()%90)
	}
	text := string(noise)
	many := make([]check.Test, 3000)
	for i := range many {
		many[i] = check.Test{Name: text[i : i+20], Output: text[i : i+50]}
	}
	for name, v := range map[string]check.Verdict{
		"small":         {Tests: []check.Test{{Output: "fine"}}},
		"long output":   {Tests: []check.Test{{Output: text}}},
		"many subtests": {Tests: []check.Test{{Name: "TestMany", Subtests: many}}},
		"long messages": {Message: text, Diagnostics: []check.Diagnostic{{Message: text}, {Message: text}}, Tests: []check.Test{{Message: text}}},
	} {
		v.Verdict = check.Failed
		data, err := fit(v, most, func(v check.Verdict) any { return result{ID: "one", Verdict: v} })
		if err != nil || len(data) > most {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
			continue
		}
		var r result
		if err := unpack(data, &r); err != nil || r.Verdict.Verdict != check.Failed || len(r.Verdict.Tests) != 1 {
			t.Errorf("%s: arrived as %+v, %v", name, r.Verdict, err)
		}
		if cut := name != "small"; r.Verdict.OutputCut != cut {
			t.Errorf("%s: output_cut is %v", name, !cut)
		}
	}
	if _, err := fit(check.Verdict{Tests: many}, 100, func(v check.Verdict) any { return v }); !errors.Is(err, errTooBig) {
		t.Errorf("what cannot fit gives %v, want %v", err, errTooBig)
	}
}

// A long message is made short, and a short one, of which there are many, costs next to nothing.
func TestPackingPays(t *testing.T) {
	source := bytes.Repeat([]byte("func owner(key string) int { return 0 }\n"), 1000)
	data, err := pack(job{Source: source})
	if err != nil || len(data) > len(source)/5 {
		t.Errorf("%d bytes of source became %d, %v", len(source), len(data), err)
	}
	allocations := testing.AllocsPerRun(100, func() {
		if _, err := pack(snapshot{ID: "one", Verdict: check.Verdict{State: check.Building}}); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 5 {
		t.Errorf("some news take %v allocations to pack: was a compressor made?", allocations)
	}
}
