package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/a-h/templ"
)

// A Stencil is a page that was drawn once for all readers, with gaps where each of them sees
// something of their own. Filling the gaps costs next to nothing beside drawing a lesson's
// pictures. Any number of goroutines may fill one Stencil.
type Stencil struct {
	pieces [][]byte // what stands around the gaps: one more than there are gaps
	gaps   []func(Reader) templ.Component
}

// Cut draws a page with gaps for the reader.
func Cut(ctx context.Context, page templ.Component) (*Stencil, error) {
	// The mark that a gap leaves is new each time and cannot be guessed. Nothing that an author
	// wrote can be like it, and what a reader wrote comes only after the marks are gone.
	c := &cutting{mark: []byte("\x00" + rand.Text() + "\x00")}
	var b bytes.Buffer
	if err := page.Render(context.WithValue(ctx, cuttingKey{}, c), &b); err != nil {
		return nil, fmt.Errorf("draw the page for all readers: %w", err)
	}
	s := &Stencil{pieces: bytes.Split(b.Bytes(), c.mark), gaps: c.gaps}
	if len(s.pieces) != len(s.gaps)+1 {
		return nil, errors.New("draw the page for all readers: a gap was lost")
	}
	return s, nil
}

// Fill writes the page as one reader sees it.
func (s *Stencil) Fill(ctx context.Context, w io.Writer, r Reader) error {
	for i, piece := range s.pieces {
		if _, err := w.Write(piece); err != nil {
			return fmt.Errorf("fill in a page: %w", err)
		}
		if i == len(s.gaps) {
			break
		}
		if err := s.gaps[i](r).Render(ctx, w); err != nil {
			return fmt.Errorf("fill in a page: %w", err)
		}
	}
	return nil
}

type cuttingKey struct{}

// A cutting is a stencil while its page is drawn.
type cutting struct {
	mark []byte
	gaps []func(Reader) templ.Component
}

// personal is a part of a page that depends on who reads it: a gap while a stencil is cut, and
// else what the context's reader sees.
func personal(part func(Reader) templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		c, cuts := ctx.Value(cuttingKey{}).(*cutting)
		if !cuts {
			return part(readerOf(ctx)).Render(ctx, w)
		}
		c.gaps = append(c.gaps, part)
		_, err := w.Write(c.mark)
		return err
	})
}
