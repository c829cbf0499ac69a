package web

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// inARow is a page of parts in a row.
func inARow(parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for _, p := range parts {
			if err := p.Render(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
}

func nameOf(r Reader) templ.Component { return templ.Raw("[" + r.Name + "]") }

func TestStencil(t *testing.T) {
	page := inARow(personal(nameOf), templ.Raw("one"), personal(nameOf), personal(nameOf), templ.Raw("two"))
	s, err := Cut(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Ada", "", "\x00MARK\x00"} {
		var b strings.Builder
		if err := s.Fill(t.Context(), &b, Reader{Name: name}); err != nil {
			t.Fatal(err)
		}
		part := "[" + name + "]"
		if want := part + "one" + part + part + "two"; b.String() != want {
			t.Errorf("for %q the page is %q, want %q", name, b.String(), want)
		}
		// A page that is drawn for one reader only is the same.
		var direct strings.Builder
		if err := page.Render(WithReader(t.Context(), Reader{Name: name}), &direct); err != nil || direct.String() != b.String() {
			t.Errorf("drawn at once it is %q, %v", direct.String(), err)
		}
	}
}

// What one reader writes can never be taken for the gap of another, even by who has seen all
// marks of earlier drawings.
func TestMarksAreNewEachTime(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		_, err := Cut(t.Context(), templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
			mark := string(ctx.Value(cuttingKey{}).(*cutting).mark)
			if seen[mark] || len(mark) < 26 {
				t.Errorf("the mark %q can be guessed", mark)
			}
			seen[mark] = true
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestStencilFaults(t *testing.T) {
	torn := errors.New("torn")
	fails := templ.ComponentFunc(func(context.Context, io.Writer) error { return torn })
	if _, err := Cut(t.Context(), fails); !errors.Is(err, torn) {
		t.Errorf("cutting a page that fails: %v", err)
	}
	lost := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error { return personal(nameOf).Render(ctx, io.Discard) })
	if _, err := Cut(t.Context(), lost); err == nil {
		t.Error("a gap that is drawn elsewhere is not missed")
	}
	s, err := Cut(t.Context(), personal(func(Reader) templ.Component { return fails }))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Fill(t.Context(), io.Discard, Reader{}); !errors.Is(err, torn) {
		t.Errorf("filling with a part that fails: %v", err)
	}
}
