package jobs

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

func TestListenAt(t *testing.T) {
	for listen, want := range map[string]bool{
		"127.0.0.1:4222":             true,
		"localhost:0":                true,
		"[::1]:4222":                 true,
		"towers:secret@0.0.0.0:4222": true,
		"towers:secret@queue:4222":   true,
		"0.0.0.0:4222":               false, // open to all
		":4222":                      false, // the same
		"towers@10.0.0.1:4222":       false, // a name alone protects nothing
		"127.0.0.1":                  false,
		"127.0.0.1:nats":             false,
		"127.0.0.1:99999":            false,
		"127.0.0.1:4222/path":        false,
	} {
		var o server.Options
		if err := listenAt(&o, listen); (err == nil) != want {
			t.Errorf("listen at %q: %v", listen, err)
		}
	}
}

func TestOpenNeedsAFolder(t *testing.T) {
	config := testConfig(t, newLedger())
	config.Dir = ""
	if _, err := Open(t.Context(), config); err == nil {
		t.Error("opened without a folder")
	}
	if _, err := Open(t.Context(), Config{}); err == nil {
		t.Error("opened with nothing")
	}
}

// A folder that was damaged, by a power cut or by hand, costs nothing but its contents.
func TestDamagedFolder(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string){
		"garbage in every file": func(t *testing.T, dir string) {
			everyFile(t, dir, func(path string) error { return os.WriteFile(path, []byte("garbage"), 0o600) })
		},
		"every file empty": func(t *testing.T, dir string) {
			everyFile(t, dir, func(path string) error { return os.Truncate(path, 0) })
		},
		"a file in place of the folder": func(t *testing.T, dir string) {
			streams := filepath.Join(dir, server.JetStreamStoreDir)
			if err := os.RemoveAll(streams); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(streams, []byte("not a folder"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			ledger, checker := newLedger(), newChecker()
			config := testConfig(t, ledger)
			q := mustOpen(t, config)
			for _, id := range []string{"a", "b", "c"} {
				mustSubmit(t, q, submission(id, "ada", "pass"))
			}
			waitFor(t, 5*time.Second, "some are sent", func() bool { return len(q.board.away()) == leastWindow })
			mustClose(t, q)
			damage(t, config.Dir)
			q = mustOpen(t, config)
			startWork(t, q, checker, 1)
			waitFor(t, 10*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
		})
	}
}

func everyFile(t *testing.T, dir string, do func(path string) error) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		return do(path)
	})
	if err != nil || n == 0 {
		t.Fatalf("damaged %d files, %v", n, err)
	}
}

// A NATS server ends its streams when the disk is full, and does not begin again by itself.
func TestStreamsThatEnd(t *testing.T) {
	ledger, checker := newLedger(), newChecker()
	q := mustOpen(t, testConfig(t, ledger))
	startWork(t, q, checker, 1)
	mustSubmit(t, q, submission("under-way", "ada", "wait"))
	mustSubmit(t, q, submission("sent", "ada", "pass"))
	waitFor(t, 5*time.Second, "one is under way", func() bool { return checker.has("under-way") })
	if err := q.server.server.ShutdownJetStream(); err != nil {
		t.Fatal(err)
	}
	mustSubmit(t, q, submission("meanwhile", "bob", "pass"))
	checker.release()
	waitFor(t, 20*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
}
