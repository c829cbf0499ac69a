package e2e

import (
	"strings"
	"testing"
)

func TestPassIsStampedAndCounted(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	d := p.desk(work.url + ownerPage)
	d.try(unique(t, owner.Solution), "passed")
	if says := d.part("#desk", 0).text(".verdict h2"); !strings.Contains(says, "passed") {
		t.Error(says)
	}
}
