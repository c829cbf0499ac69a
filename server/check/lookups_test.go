package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// lookups are tests that ask a million times, in the shapes that a learner may meet: most of the
// time goes into the search, into making the keys, or into waiting for memory.
func lookups(tb testing.TB) []lookup {
	tb.Helper()
	towers := func(n int, test string) string { return strings.ReplaceAll(test, "TOWERS", strconv.Itoa(n)) }
	return []lookup{
		{"8x160-keys-made", ringSource, towers(8, madeTest)},
		{"8x160-keys-there", ringSource, towers(8, thereTest)},
		{"100x160-keys-made", ringSource, towers(100, madeTest)},
		{"5x1000-few-keys", ringSource, ringTest},
		{"modulo-keys-made", string(read(tb, "testdata/exercise/solution.txt")), stringsTest},
	}
}

type lookup struct{ name, source, test string }

// BenchmarkLookups compares a test's time in the checker, without loading and compiling the program,
// with its native time. The exercise is one whose tests are known to be heavy.
func BenchmarkLookups(b *testing.B) {
	for _, l := range lookups(b) {
		b.Run(l.name, func(b *testing.B) {
			e := common(b)
			e.Tests = []byte(testHead + l.test)
			checker := newChecker(b, func(config *Config) { config.Parallel = 1 })
			home := module(b, e)
			if err := os.WriteFile(filepath.Join(home, "timed_test.go"), []byte(timedTest), 0o600); err != nil {
				b.Fatal(err)
			}
			check := func(n int) Verdict {
				v := mustCheck(b, checker, Submission{Source: l.edited(n), Exercise: e})
				if !v.Passed() {
					b.Fatal(v.Message, v.Tests)
				}
				return v
			}
			// Two programs have to show that the tests are heavy.
			check(-1)
			l.source += "\nfunc init() { other++ }\n\nvar other = 1\n"
			check(-1)
			var compile, test, native []float64
			for n := 0; b.Loop(); n++ {
				v := check(n)
				compile = append(compile, v.Parts.Load)
				test = append(test, v.Parts.Tests)
				native = append(native, timedTestTime(b, home, l.edited(n)))
			}
			b.ReportMetric(median(compile), "compile-ms")
			b.ReportMetric(median(test), "test-ms")
			b.ReportMetric(median(native), "native-ms")
			b.ReportMetric(median(test)/median(native), "ratio")
		})
	}
}

func (l lookup) edited(n int) []byte {
	return fmt.Appendf(nil, "%s\nvar edit%d = %d\n", l.source, n+1, n)
}

// timedTest says what TestMillion takes; go test itself only tells hundredths of a second.
const timedTest = `package exercise_test

import (
	"fmt"
	"testing"
	"time"
)

func TestTimed(t *testing.T) {
	began := time.Now()
	TestMillion(t)
	fmt.Println("took", time.Since(began).Microseconds())
}
`

func timedTestTime(b *testing.B, dir string, source []byte) float64 {
	b.Helper()
	out := string(runGoTest(b, dir, source, "-v", "-run", "TestTimed", "."))
	_, rest, _ := strings.Cut(out, "took ")
	rest, _, _ = strings.Cut(rest, "\n")
	took, err := strconv.ParseInt(rest, 10, 64)
	if err != nil {
		b.Fatalf("no time in %s", out)
	}
	return milliseconds(time.Duration(took) * time.Microsecond)
}

const testHead = `package exercise_test

import (
	"strconv"
	"testing"

	"exercise"
)

var towers = []string{"T-1", "T-2", "T-3", "T-4", "T-5"}

`

const stringsTest = `func TestMillion(t *testing.T) {
	for n := range 1_000_000 {
		if got := exercise.Owner("letter-"+strconv.Itoa(n), towers); got != towers[n%5] {
			t.Fatalf("got %q, want %q", got, towers[n%5])
		}
	}
}
`

const madeTest = `func TestMillion(t *testing.T) {
	var names []string
	for n := range TOWERS {
		names = append(names, "T-"+strconv.Itoa(n+1))
	}
	ring := exercise.New(names, 160)
	count := make(map[string]int)
	for n := range 1_000_000 {
		count[ring.Owner("letter-"+strconv.Itoa(n))]++
	}
	if len(count) != len(names) {
		t.Fatalf("got %v, want letters for each of %d towers", count, len(names))
	}
}
`

const thereTest = `func TestMillion(t *testing.T) {
	var names []string
	for n := range TOWERS {
		names = append(names, "T-"+strconv.Itoa(n+1))
	}
	ring := exercise.New(names, 160)
	letters := make([]string, 1_000_000)
	for n := range letters {
		letters[n] = "letter-" + strconv.Itoa(n)
	}
	first := 0
	for _, letter := range letters {
		if ring.Owner(letter) == "T-1" {
			first++
		}
	}
	if first == 0 {
		t.Fatal("the first tower has no letter")
	}
}
`

const ringTest = `func TestMillion(t *testing.T) {
	ring := exercise.New(towers, 1000)
	letters := make([]string, 1000)
	for n := range letters {
		letters[n] = "letter-" + strconv.Itoa(n)
	}
	count := make(map[string]int)
	for range 1000 {
		for _, letter := range letters {
			if ring.Owner(letter) == "T-1" {
				count["T-1"]++
			}
		}
	}
	if count["T-1"]%1000 != 0 || count["T-1"] == 0 {
		t.Fatalf("got %v, want the same each time", count)
	}
}
`

// ringSource is a ring as a learner writes it.
const ringSource = `package exercise

import (
	"sort"
	"strconv"
)

type point struct {
	position uint32
	tower    string
}

type Ring struct{ points []point }

func hash(s string) uint32 {
	h := uint32(0x811c9dc5)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 0x01000193
	}
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func New(towers []string, points int) *Ring {
	r := &Ring{}
	for _, t := range towers {
		for n := range points {
			r.points = append(r.points, point{hash(t + "#" + strconv.Itoa(n)), t})
		}
	}
	sort.Slice(r.points, func(i, j int) bool { return r.points[i].position < r.points[j].position })
	return r
}

func (r *Ring) Owner(letter string) string {
	h := hash(letter)
	i := sort.Search(len(r.points), func(i int) bool { return r.points[i].position >= h })
	return r.points[i%len(r.points)].tower
}
`
