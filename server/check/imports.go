package check

import (
	"slices"
	"strings"
)

// defaultImports are what any exercise's learner may import: packages that compute and format,
// and none that reach outside the program or around its types.
var defaultImports = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context",
	"crypto/md5", "crypto/sha1", "crypto/sha256", "encoding/binary", "encoding/hex", "errors",
	"fmt", "hash", "hash/crc32", "hash/crc64", "hash/fnv", "hash/maphash", "io", "iter", "maps",
	"math", "math/bits", "math/rand", "math/rand/v2", "slices", "sort", "strconv", "strings",
	"sync", "sync/atomic", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// moreImports may be added by an exercise, and may be used by any exercise's tests. Together
// with defaultImports they are all that the toolchain prepares.
var moreImports = []string{
	"container/heap", "encoding/base64", "encoding/json", "hash/adler32", "math/big",
	"math/cmplx", "reflect", "regexp", "strings", "testing", "text/tabwriter", "unique",
}

// neverImports are refused even when an exercise lists them: each would let a program end its
// tests early, read its surroundings or write over memory that is not its own. With reflect one
// can make a pointer to a larger array than there is, so it is only for tests.
var neverImports = []string{
	"C", "unsafe", "reflect", "runtime", "syscall", "os", "net", "plugin", "flag", "log", "embed",
	"internal", "testing", "expvar", "go", "debug",
}

// DefaultImports are the import paths that a learner may always use, sorted.
func DefaultImports() []string { return slices.Clone(defaultImports) }

// KnownImports are the import paths that exist for exercises at all, sorted: a test may import
// any of them, and an exercise may add any of them to its learner's list except "reflect" and
// "testing".
func KnownImports() []string {
	all := slices.Concat(defaultImports, moreImports)
	slices.Sort(all)
	return slices.Compact(all)
}

// importable reports whether path may stand in a learner's file, given what the exercise adds.
func importable(path string, kind Kind, added []string) bool {
	if kind == KindTests && (path == "testing" || path == learnerPackage) {
		return true
	}
	root, _, _ := strings.Cut(path, "/")
	if slices.Contains(neverImports, root) {
		return false
	}
	if slices.Contains(defaultImports, path) {
		return true
	}
	return slices.Contains(added, path) && slices.Contains(moreImports, path)
}
