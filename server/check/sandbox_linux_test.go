package check

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// probeArg makes the test binary lock itself in like a child and try to get out.
const probeArg = "__probe"

// probe prints one line for each thing that worked although it should not have.
func probe(args []string) {
	role, work, secret := args[0], args[1], args[2]
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println("the probe cannot listen before it is confined:", err)
		return
	}
	if role == roleRun {
		err = confineRun()
	} else {
		err = confineBuild(buildJob{Work: work, Data: buildData, File: buildFile})
	}
	if err != nil {
		fmt.Println("confine:", err)
		return
	}
	tries := map[string]func() error{
		"read a file":     func() error { _, err := os.ReadFile(secret); return err },
		"write elsewhere": func() error { return os.WriteFile(secret, nil, 0o600) },
		"list the root":   func() error { _, err := os.ReadDir("/"); return err },
		"dial":            func() error { _, err := net.Dial("tcp", listener.Addr().String()); return err },
		"listen":          func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"run a program":   func() error { return exec.Command("/bin/true").Run() },
	}
	if role == roleRun {
		tries["write in the working folder"] = func() error { return os.WriteFile(filepath.Join(work, "x"), nil, 0o600) }
		tries["start a program"] = func() error { _, err := os.StartProcess("/bin/true", nil, &os.ProcAttr{}); return err }
	} else if err := os.WriteFile(filepath.Join(work, "x"), []byte("x"), 0o600); err != nil {
		fmt.Println("the working folder is closed:", err)
	}
	for name, try := range tries {
		if err := try(); err == nil {
			fmt.Println("it could", name)
		}
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_PTRACE, 0, 0, 0); errno != syscall.EPERM {
		fmt.Println("it could ptrace:", errno)
	}
}

func TestChildrenAreConfined(t *testing.T) {
	if version, err := ll.LandlockGetABIVersion(); err != nil || version < 4 {
		t.Skipf("this kernel has no Landlock for files and network (version %d, %v)", version, err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{roleRun, roleBuild} {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, probeArg, role, t.TempDir(), secret)
		out, err := cmd.CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s child: %v\n%s", role, err, out)
		}
	}
}

// A parent that is killed must leave no child behind.
func TestChildrenDieWithTheirParent(t *testing.T) {
	for _, role := range []string{roleBuild, roleRun, roleTypes} {
		c, err := startChild("/proc/self/exe", role)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.in.Close(); err != nil { // as the kernel does for a dead parent
			t.Fatal(err)
		}
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("%s child: %v", role, err)
		}
	}
}

// childrenOf counts the processes whose parent is this one.
func childrenOf(t testing.TB) int {
	t.Helper()
	found := 0
	entries, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range entries {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// The name in parentheses may hold anything; the parent is the second field after it.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 1 && fields[1] == fmt.Sprint(os.Getpid()) {
			found++
		}
	}
	return found
}
