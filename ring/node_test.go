package ring

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestUnusableNodesAreRefusedByName(t *testing.T) {
	for _, c := range []struct {
		what   string
		nodes  []Node
		name   string
		reason string
	}{
		{"no name", []Node{{Name: "a"}, {}}, "", "empty"},
		{"repeated", []Node{{Name: "b"}, {Name: "a"}, {Name: "b", Weight: 2}}, "b", "more than once"},
		{"negative", []Node{{Name: "a"}, {Name: "b", Weight: -1}}, "b", "weight -1 "},
		{"not a number", []Node{{Name: "b", Weight: math.NaN()}}, "b", "weight NaN "},
		{"infinite", []Node{{Name: "b", Weight: math.Inf(1)}}, "b", "weight +Inf "},
		{"infinitely little", []Node{{Name: "b", Weight: math.Inf(-1)}}, "b", "weight -Inf "},
	} {
		t.Run(c.what, func(t *testing.T) {
			_, err := New(c.nodes)
			checkNodeError(t, "New", err, c.name, c.reason)
			_, err = NewRendezvous(c.nodes)
			checkNodeError(t, "NewRendezvous", err, c.name, c.reason)
		})
	}
}

func TestWithRefusesWhatNewRefuses(t *testing.T) {
	r := must(New([]Node{{Name: "a"}}))
	for _, c := range []struct {
		node         Node
		name, reason string
	}{
		{Node{}, "", "empty"},
		{Node{Name: "a"}, "a", "already"},
		{Node{Name: "b", Weight: -0.5}, "b", "weight -0.5 "},
		{Node{Name: "b", Weight: 1e300}, "b", "268435456"},
	} {
		_, err := r.With(c.node)
		checkNodeError(t, "With", err, c.name, c.reason)
	}
}

func TestTooManyPointsAreRefusedBeforeTheyAreMade(t *testing.T) {
	for _, c := range []struct {
		what  string
		nodes []Node
		opt   Option
		name  string
	}{
		{"one heavy node", []Node{{Name: "a"}, {Name: "b", Weight: 1e7}, {Name: "c"}}, Points(160), "b"},
		{"an overflow", []Node{{Name: "a", Weight: math.MaxFloat64}}, Points(math.MaxInt), "a"},
		{"many points", []Node{{Name: "a"}}, Points(MaxPoints + 1), "a"},
		{"together", []Node{{Name: "a"}, {Name: "b"}}, Points(MaxPoints/2 + 1), "b"},
	} {
		_, err := New(c.nodes, c.opt)
		checkNodeError(t, c.what, err, c.name, "268435456")
	}
}

func checkNodeError(t *testing.T, what string, err error, name, reason string) {
	t.Helper()
	var bad *NodeError
	if !errors.As(err, &bad) {
		t.Errorf("%s: error %v, want a *NodeError", what, err)
		return
	}
	if bad.Name != name || !strings.Contains(bad.Reason, reason) {
		t.Errorf("%s: refused %q because %q, want %q because of %q", what, bad.Name, bad.Reason, name, reason)
	}
	if text := err.Error(); !strings.HasPrefix(text, "ring: ") || !strings.Contains(text, name) {
		t.Errorf("%s: message %q, want the package and the node named", what, text)
	}
}

func TestUnusableOptionsAreRefused(t *testing.T) {
	for option, opt := range map[string]Option{
		"Points(0)":           Points(0),
		"Points(-3)":          Points(-3),
		"Using(nil)":          Using(nil),
		"Using(Classic(nil))": Using(Classic(nil)),
	} {
		_, err := New(nil, opt)
		var bad *OptionError
		if !errors.As(err, &bad) || bad.Option != option || !strings.Contains(err.Error(), option) {
			t.Errorf("New with %s: error %v, want one that names the option", option, err)
		}
	}
}
