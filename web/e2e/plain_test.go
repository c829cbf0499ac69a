package e2e

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	downloads "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

func TestWithoutScriptsAProgramIsJudged(t *testing.T) {
	work, p := shop(t), open(t)
	owner := set(t, "03-the-ring", "owner")
	p.withoutScripts()
	p.visit(work.url + ownerPage)
	all := p.all()
	const field = `document.querySelector("textarea.plain").value`
	if got := eval[string](p, field); got != owner.Start {
		t.Fatalf("the field begins with:\n%s", got)
	}
	for _, dead := range []string{"Start again", "Share"} {
		if n := len(all.named("button", dead)); n != 0 {
			t.Errorf("there is a button %q, which does nothing", dead)
		}
	}

	code := unique(t, wrongOne(t, owner, "gives-up"))
	all.fill("owner.go", strings.Replace(code, "\treturn", "return", 1))
	all.leaveBy("button", "Format")
	if got := eval[string](p, field); got != code {
		t.Errorf("formatted it is:\n%s", got)
	}
	all.fill("owner.go", code+"}")
	p.expect("422")
	all.leaveBy("button", "Format")
	if got := all.text(`ol[aria-label="Why it could not be formatted"]`); !strings.Contains(got, "line ") {
		t.Errorf("what cannot be formatted is told so: %q", got)
	}

	all.fill("owner.go", code)
	all.leaveBy("button", "Check")
	p.arrive(`document.querySelector('.verdict[data-state="done"]') !== null`) // by loading itself again and again
	d := desk{p}
	if got := d.is("verdict"); got != "failed" {
		t.Errorf("the verdict is %q", got)
	}
	if got := d.row("TestPastTheLastPoint").text(".want"); got != `"T-4", true` {
		t.Errorf("the page says it wants %q", got)
	}
	if got := eval[string](p, "location.search"); got != "?try="+d.is("id") {
		t.Errorf("the address ends in %s", got)
	}
	if n := eval[int](p, `document.querySelectorAll("noscript meta").length`); n != 0 {
		t.Error("the page goes on loading itself though there is a verdict")
	}
	if got := p.follow(".crumbs a"); got != theRing {
		t.Errorf("the way back leads to %s", got)
	}

	// What was sent is still in the field on the next visit, and a pass opens the solution.
	p.visit(work.url + ownerPage)
	if got := eval[string](p, field); got != code {
		t.Errorf("on the next visit the field has:\n%s", got)
	}
	all.fill("owner.go", unique(t, owner.Solution))
	all.leaveBy("button", "Check")
	p.arrive(`document.querySelector('.verdict[data-verdict="passed"]') !== null`)
	if got := eval[string](p, `document.querySelector("details.solution code").textContent`); strings.TrimSpace(got) != strings.TrimSpace(owner.Solution) {
		t.Errorf("the solution shown is:\n%s", got)
	}
}

// The download holds what is in the field and the tests that are shown, and no script is needed.
func TestDownloadHoldsTheProgram(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		t.Run(fmt.Sprintf("scripts=%t", scripts), func(t *testing.T) {
			work, p := shop(t), open(t)
			code := unique(t, set(t, "03-the-ring", "owner").Start)
			if scripts {
				p.desk(work.url + ownerPage).write(code)
			} else {
				p.withoutScripts()
				p.visit(work.url + ownerPage)
				p.all().fill("owner.go", code)
			}
			files := p.download("Download")
			if files["exercise.go"] != code {
				t.Errorf("the program is:\n%s", files["exercise.go"])
			}
			if !strings.HasPrefix(files["go.mod"], "module exercise\n") {
				t.Errorf("go.mod is:\n%s", files["go.mod"])
			}
			if tests := files["check_test.go"]; !strings.Contains(tests, "func TestSharedPosition(") || strings.Contains(tests, "TestHidden") {
				t.Errorf("the tests are:\n%s", tests)
			}
		})
	}
}

// download presses a button and unpacks the archive that comes.
func (p *page) download(button string) map[string]string {
	p.tb.Helper()
	dir, events := p.tb.TempDir(), true
	_, err := chromedp.CallBrowser(p.ctx, downloads.SetDownloadBehavior, downloads.SetDownloadBehaviorParams{
		Behavior: downloads.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID, DownloadPath: dir, EventsEnabled: &events})
	if err != nil {
		p.tb.Fatalf("say where downloads go: %v", err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	done := chromedp.BrowserEvents(ctx, downloads.DownloadProgress)
	p.all().click("button", button)
	for event, err := range done {
		if err != nil {
			p.tb.Fatalf("wait for the download: %v", err)
		}
		if event.State == downloads.DownloadProgressStateCompleted {
			break
		}
	}
	return unpacked(p.tb, dir)
}

// unpacked reads the files of the one archive in a folder, under their names without folders.
func unpacked(tb testing.TB, dir string) map[string]string {
	found, err := os.ReadDir(dir)
	if err != nil || len(found) != 1 || found[0].Name() != "exercise.zip" {
		tb.Fatal("downloaded is: ", found, err)
	}
	archive, err := zip.OpenReader(filepath.Join(dir, found[0].Name()))
	if err != nil {
		tb.Fatal(err)
	}
	defer archive.Close()
	files := make(map[string]string)
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			tb.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(f.Name)] = string(text)
	}
	return files
}
