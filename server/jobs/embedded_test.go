package jobs

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
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

// What another version left in the folder, damaged or not, is no obstacle.
func TestFolderThatWasUsed(t *testing.T) {
	config := testConfig(t, newLedger())
	stream := filepath.Join(config.Dir, server.JetStreamStoreDir, "$G", "streams", checksStream)
	if err := os.MkdirAll(stream, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(stream, "meta.inf"), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	<-mustOpen(t, config).prepared
}

func TestPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }() // nothing was accepted
	config := testConfig(t, newLedger())
	config.Listen = l.Addr().String()
	if _, err := Open(t.Context(), config); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("Open on a taken port: %v", err)
	}
}

// No NATS server writes anything of the queue to its folder, so a full disk cannot stop it.
func TestQueueNeedsNoDisk(t *testing.T) {
	there := newOutside(t, nil)
	for folder, url := range map[string]string{t.TempDir(): "", there.options.StoreDir: there.url()} {
		ledger := newLedger()
		config := testConfig(t, ledger)
		config.URL, config.Dir = url, folder
		q := mustOpen(t, config)
		startWork(t, q, newChecker(), 1)
		for n := range 20 {
			mustSubmit(t, q, submission(fmt.Sprint("s", n), "ada", "pass"))
		}
		waitFor(t, 10*time.Second, "all are judged", func() bool { return ledger.open() == 0 })
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				t.Errorf("%s was written", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
