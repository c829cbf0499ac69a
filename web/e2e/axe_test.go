package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A violation is what axe says of one rule.
type violation struct {
	ID    string
	Help  string
	Nodes []struct {
		HTML           string
		Target         []string
		FailureSummary string
	}
}

func (v violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", v.ID, v.Help)
	for _, n := range v.Nodes {
		fmt.Fprintf(&b, "\n  %s\n    %.300s\n    %s", strings.Join(n.Target, " "), n.HTML, strings.ReplaceAll(n.FailureSummary, "\n", "\n    "))
	}
	return b.String()
}

// axe reads the accessibility checker, which comes from npm. Without it the test is left out,
// unless CI is set.
func axe(tb testing.TB) string {
	tb.Helper()
	script, err := os.ReadFile(filepath.Join("..", "node_modules", "axe-core", "axe.min.js"))
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "" {
		tb.Skipf("left out: axe-core is not there; it comes with npm ci in the folder web (%v)", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return string(script)
}

// violations has axe look at the page as it is now.
func (p *page) violations(script string) []violation {
	p.tb.Helper()
	if !eval[bool](p, `typeof axe === "object"`) {
		eval[bool](p, script+"\n;true")
	}
	answer := eval[string](p, `axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`)
	var found []violation
	if err := json.Unmarshal([]byte(answer), &found); err != nil {
		p.tb.Fatalf("read what axe says: %v", err)
	}
	return found
}

func TestAxeFindsNothing(t *testing.T) {
	script := axe(t)
	here := embedded(t)
	for _, path := range append(paths(t), "/lessons/nowhere") {
		t.Run(named(path), func(t *testing.T) {
			p := open(t)
			p.expect("status of 404")
			p.expect("status 404")
			p.visit(here.url + path)
			p.wakeAll()
			// What is folded away is read too.
			eval[bool](p, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			for _, width := range []int64{360, 1440} {
				for _, light := range []string{"light", "dark"} {
					p.size(width, 900)
					p.media("prefers-color-scheme: "+light, "prefers-reduced-motion: reduce")
					for _, v := range p.violations(script) {
						t.Errorf("at %d, %s: %s", width, light, v)
					}
					p.shot(fmt.Sprintf("%d-%s", width, light))
				}
			}
		})
	}
}

// A checker that finds nothing anywhere would be no help.
func TestAxeFindsSomething(t *testing.T) {
	script := axe(t)
	p := open(t)
	p.visit(static(t, map[string]string{"/": `<!doctype html><html lang="en"><title>T</title><main><h1>T</h1><button></button></main>`}))
	if found := p.violations(script); len(found) != 1 || found[0].ID != "button-name" {
		t.Errorf("found %v, want the button without a name", found)
	}
}
