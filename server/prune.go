package server

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// prune takes out of a Go file what neither a root nor anything that a root uses needs: roots
// are the top-level names that root says yes to. Comments go with what they stand before, and
// imports that nothing uses any more go too.
//
// Names are compared as text, without types: something stays that could have gone where a local
// name is the same. It is meant for the files of a course, whose authors are trusted.
func prune(src string, root func(name string) bool) (string, error) {
	f, err := parseText(src)
	if err != nil {
		return "", err
	}
	keepReachable(f.units, root)
	if f, err = parseText(f.without(func(u *unit) bool { return !u.keep })); err != nil {
		return "", err
	}
	used := f.packages()
	text := f.withoutImports(func(name string) bool { return name != "_" && name != "." && !used[name] })
	out, err := format.Source([]byte(text))
	if err != nil {
		return "", fmt.Errorf("lay out a pruned file: %w", err)
	}
	return string(out), nil
}

// A unit is what is kept or taken out as one: a function, a variable, a type, or a whole
// declaration of constants, which count each other.
type unit struct {
	names []string
	of    string // the type that a method belongs to
	uses  map[string]bool
	cut   span
	group int // which declaration it is in
	keep  bool
}

// A span is a piece of the text, from one byte to before another.
type span struct{ from, to int }

// A goText is a Go file with its units.
type goText struct {
	src   string
	set   *token.FileSet
	tree  *ast.File
	units []*unit
}

func parseText(src string) (*goText, error) {
	f := &goText{src: src, set: token.NewFileSet()}
	var err error
	f.tree, err = parser.ParseFile(f.set, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read a file of the exercise: %w", err)
	}
	from := f.lineEnd(f.tree.Name.End())
	for i, decl := range f.tree.Decls {
		to := f.lineEnd(decl.End())
		if i == len(f.tree.Decls)-1 {
			to = len(src) // a comment at the end belongs to what it stands under
		}
		f.units = append(f.units, f.unitsOf(decl, span{from, to}, i)...)
		from = to
	}
	return f, nil
}

// unitsOf makes the units of a declaration that takes this piece of the text.
func (f *goText) unitsOf(decl ast.Decl, whole span, group int) []*unit {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		u := &unit{names: []string{d.Name.Name}, uses: used(d), cut: whole, group: group}
		if d.Recv != nil && len(d.Recv.List) == 1 {
			u.names, u.of = nil, receiver(d.Recv.List[0].Type)
		}
		return []*unit{u}
	case *ast.GenDecl:
		switch {
		case d.Tok == token.IMPORT:
			return nil
		case d.Tok == token.CONST || len(d.Specs) < 2:
			u := &unit{uses: used(d), cut: whole, group: group}
			for _, spec := range d.Specs {
				u.names = append(u.names, namesOf(spec)...)
			}
			return []*unit{u}
		}
		var units []*unit
		from := f.lineEnd(d.Lparen + 1)
		for _, spec := range d.Specs {
			to := f.lineEnd(spec.End())
			units = append(units, &unit{names: namesOf(spec), uses: used(spec), cut: span{from, to}, group: group})
			from = to
		}
		return units
	}
	return nil
}

// lineEnd is where the line of a position ends, if nothing but a comment follows there.
func (f *goText) lineEnd(pos token.Pos) int {
	at := f.set.PositionFor(pos, false).Offset
	rest, _, _ := strings.Cut(f.src[at:], "\n")
	if trimmed := strings.TrimSpace(rest); trimmed == "" || strings.HasPrefix(trimmed, "//") {
		return at + len(rest)
	}
	return at
}

// used are the names in a piece of syntax that may mean something at the top of the file. What
// stands after a dot does not.
func used(n ast.Node) map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			for name := range used(n.X) {
				names[name] = true
			}
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
	return names
}

func namesOf(spec ast.Spec) []string {
	var names []string
	switch s := spec.(type) {
	case *ast.TypeSpec:
		names = append(names, s.Name.Name)
	case *ast.ValueSpec:
		for _, name := range s.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// receiver is the name of the type in *T, T[K] and the like.
func receiver(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// keepReachable marks the roots and what they use, until nothing is added any more.
func keepReachable(units []*unit, root func(string) bool) {
	wanted := make(map[string]bool)
	for again := true; again; {
		again = false
		for _, u := range units {
			if u.keep || !wanted[u.of] && !slices.ContainsFunc(u.names, func(n string) bool { return n == "_" || wanted[n] || root(n) }) {
				continue
			}
			u.keep, again = true, true
			for _, name := range u.names {
				wanted[name] = true
			}
			for name := range u.uses {
				wanted[name] = true
			}
		}
	}
}

// without is the text without some units. A declaration that loses all of them goes as a whole.
func (f *goText) without(gone func(*unit) bool) string {
	var cuts []span
	for i, decl := range f.tree.Decls {
		mine := slices.DeleteFunc(slices.Clone(f.units), func(u *unit) bool { return u.group != i })
		left := slices.DeleteFunc(slices.Clone(mine), gone)
		if len(mine) > 1 && len(left) == 0 {
			cuts = append(cuts, span{f.start(i), f.lineEnd(decl.End())})
			continue
		}
		for _, u := range mine {
			if gone(u) {
				cuts = append(cuts, u.cut)
			}
		}
	}
	return cutOut(f.src, cuts)
}

// start is where the text of a declaration begins: where the one before it ends.
func (f *goText) start(i int) int {
	if i == 0 {
		return f.lineEnd(f.tree.Name.End())
	}
	return f.lineEnd(f.tree.Decls[i-1].End())
}

// packages are the names before a dot, of which those of imports are some.
func (f *goText) packages() map[string]bool {
	names := make(map[string]bool)
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	return names
}

// withoutImports is the text without the imports of some names.
func (f *goText) withoutImports(gone func(name string) bool) string {
	var cuts []span
	for i, decl := range f.tree.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT {
			continue
		}
		var of []span
		from := f.lineEnd(d.Lparen + 1)
		for _, spec := range d.Specs {
			to := f.lineEnd(spec.End())
			if gone(importName(spec.(*ast.ImportSpec))) {
				of = append(of, span{from, to})
			}
			from = to
		}
		if len(of) == len(d.Specs) {
			of = []span{{f.start(i), f.lineEnd(d.End())}}
		}
		cuts = append(cuts, of...)
	}
	return cutOut(f.src, cuts)
}

// importName is the name under which a file knows a package: the one that it gives it, or else
// the last part of the path that is no version.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "_" // the parser lets no such path through
	}
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if version, ok := strings.CutPrefix(last, "v"); ok && len(parts) > 1 {
		if _, err := strconv.Atoi(version); err == nil {
			return parts[len(parts)-2]
		}
	}
	return last
}

// cutOut is the text without some pieces, which are in order and do not overlap.
func cutOut(src string, cuts []span) string {
	var b strings.Builder
	from := 0
	for _, c := range cuts {
		b.WriteString(src[from:c.from])
		from = c.to
	}
	b.WriteString(src[from:])
	return b.String()
}
