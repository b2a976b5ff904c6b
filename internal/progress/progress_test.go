package progress

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// testBar has a clock that is advanced manually.
type testBar struct {
	*Bar
	out strings.Builder
	now time.Time
}

func newTestBar(o Options) *testBar {
	b := &testBar{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	o.Now = func() time.Time { return b.now }
	b.Bar = New(&b.out, o)
	return b
}

func (b *testBar) after(d time.Duration) *testBar {
	b.now = b.now.Add(d)
	return b
}

// said returns the output since the last call.
func (b *testBar) said() string {
	s := b.out.String()
	b.out.Reset()
	return s
}

func (b *testBar) expect(t *testing.T, want string) {
	t.Helper()
	if got := b.said(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func columnsOf(n int) func() int { return func() int { return n } }

func TestTerminal(t *testing.T) {
	b := newTestBar(Options{Title: "model", Total: 2_000_000, Unit: Bytes, Terminal: true, Width: columnsOf(80)})
	b.expect(t, "")
	b.Add(0)
	b.expect(t, "\rmodel: 0.0 of 2.0 MB, 0%")
	b.after(99 * time.Millisecond).Add(1)
	b.expect(t, "") // at most ten times a second
	b.after(901 * time.Millisecond).Add(499_999)
	b.expect(t, "\rmodel: 0.5 of 2.0 MB, 25%")
	b.after(3 * time.Second).Set(1_000_000)
	b.expect(t, "\rmodel: 1.0 of 2.0 MB, 50%, 0:04 left")
	b.Print("something happened")
	b.expect(t, "\r"+strings.Repeat(" ", 36)+"\rsomething happened\n\rmodel: 1.0 of 2.0 MB, 50%, 0:04 left")
	b.Done("pulled")
	b.expect(t, "\r"+strings.Repeat(" ", 36)+"\rpulled\n")
	b.after(time.Hour).Add(1)
	b.Done("again")
	b.expect(t, "")
}

func TestLines(t *testing.T) {
	b := newTestBar(Options{Title: "indexing", Total: 100_000, Unit: "documents"})
	b.Tell(func() string { return "3 files" })
	b.Add(10)
	b.after(9999 * time.Millisecond).Add(19_990)
	b.expect(t, "")
	b.after(time.Millisecond).Add(0)
	b.expect(t, "indexing: 20000 of 100000 documents, 20%, 0:40 left, 3 files\n")
	b.after(time.Second).Add(1)
	b.Print("a document is cut")
	b.expect(t, "a document is cut\n")
	b.Done("100,000 documents")
	b.expect(t, "100,000 documents\n")

	b = newTestBar(Options{})
	b.after(lineEvery).Add(5)
	b.after(lineEvery).Add(5)
	b.expect(t, "5\n10\n")
	b.Done("")
	b.expect(t, "")
}

func TestQuiet(t *testing.T) {
	for _, terminal := range []bool{false, true} {
		b := newTestBar(Options{Title: "t", Total: 10, Terminal: terminal, Quiet: true})
		b.after(time.Hour).Add(5)
		b.Print("p")
		b.Done("d")
		b.expect(t, "")
	}
}

// TestEstimate: the remaining time follows the work that is left.
func TestEstimate(t *testing.T) {
	b := newTestBar(Options{Total: 1000, Unit: "files"})
	b.Estimate(func() (done, left float64) { return 30, 90 })
	b.after(20 * time.Second).Add(900)
	if got, want := b.said(), "900 of 1000 files, 90%, 1:00 left"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLeft: the remaining time follows the rate since the start, not a slow moment.
func TestLeft(t *testing.T) {
	b := newTestBar(Options{Total: 1000, Unit: "files"})
	b.after(60 * time.Second).Add(600)
	b.said()
	b.after(60 * time.Second).Add(1)
	if got, want := b.said(), "601 of 1000 files, 60%, 1:20 left"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSkip: skipped items count, but not towards the rate.
func TestSkip(t *testing.T) {
	b := newTestBar(Options{Total: 1000, Unit: "files"})
	b.Skip(600)
	b.after(lineEvery).Add(50)
	b.expect(t, "650 of 1000 files, 65%, 1:10 left\n")
	// Restarted: the count drops, and the rate does not become negative.
	b.after(lineEvery).Set(0)
	if got := b.said(); b.rate() != 0 || !strings.HasPrefix(got, "0 of 1000 files, 0%") {
		t.Errorf("got %q, rate %g, want 0 files and no rate", got, b.rate())
	}
	// More than the total.
	b.after(lineEvery).Set(2000)
	if got := b.said(); !strings.HasPrefix(got, "2000 of 1000 files, 100%") || strings.Contains(got, "left") {
		t.Error(got)
	}
}

// TestWidths: at any width, a line fits and covers the previous line.
func TestWidths(t *testing.T) {
	for _, title := range []string{"", "model.onnx", strings.Repeat("very long ", 20)} {
		for w := range 130 {
			b := newTestBar(Options{Title: title, Total: 3_000_000_000, Unit: Bytes, Terminal: true, Width: columnsOf(w)})
			before := 0
			for _, n := range []int64{1, 999_999_999, 1_500_000_000, 5} {
				b.after(time.Second).Set(n)
				got := b.said()
				text, ok := strings.CutPrefix(got, "\r")
				if !ok || strings.ContainsAny(text, "\r\n\x1b") {
					t.Fatalf("width %d: %q", w, got)
				}
				if c := len(text); c > max(w-1, 0) || c < min(before, w-1) {
					t.Fatalf("width %d: %q has %d columns, the one before had %d", w, text, c, before)
				}
				before = len(strings.TrimRight(text, " "))
			}
			b.Done("")
			if w > 1 && strings.Trim(b.said(), "\r ") != "" {
				t.Fatalf("width %d: the bar is not erased", w)
			}
		}
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0:00", 59500 * time.Millisecond: "1:00", time.Hour + 2*time.Minute + 3*time.Second: "1:02:03"} {
		if got := clock(d); got != want {
			t.Errorf("%s: got %q, want %q", d, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	b := newTestBar(Options{Unit: "documents"})
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			for range 1000 {
				b.Add(1)
			}
		})
	}
	workers.Wait()
	b.after(lineEvery).Add(0)
	b.expect(t, "8000 documents\n")
}

// TestNoTerminal writes to something that is not a terminal: the width is assumed.
func TestNoTerminal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if IsTerminal(&strings.Builder{}) {
		t.Error("a buffer is called a terminal")
	}
	if IsTerminal(f) || terminalWidth(f) != 80 {
		t.Error("a file is called a terminal")
	}
}
