package progress

import (
	"math"
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
	b.expect(t, "\rmodel  [                                        ]  0 B of 2.00 MB  0%")
	b.after(99 * time.Millisecond).Add(1)
	b.expect(t, "") // at most ten times a second
	b.after(901 * time.Millisecond).Add(499_999)
	b.expect(t, "\rmodel  [=========                           ]  500 kB of 2.00 MB  25%  500 kB/s")
	b.after(3 * time.Second).Set(1_000_000)
	b.expect(t, "\rmodel  [============            ]  1.00 MB of 2.00 MB  50%  0:04 left  250 kB/s")
	b.Print("something happened")
	b.expect(t, "\r"+strings.Repeat(" ", 79)+"\rsomething happened\n\rmodel  [============            ]  1.00 MB of 2.00 MB  50%  0:04 left  250 kB/s")
	b.Done("pulled")
	b.expect(t, "\r"+strings.Repeat(" ", 79)+"\rpulled\n")
	b.after(time.Hour).Add(1)
	b.Done("again")
	b.expect(t, "")
}

func TestLines(t *testing.T) {
	b := newTestBar(Options{Title: "indexing", Total: 100_000, Unit: Items("documents")})
	b.Tell(func() string { return "3 files" })
	b.Add(10)
	b.after(9999 * time.Millisecond).Add(19_990)
	b.expect(t, "")
	b.after(time.Millisecond).Add(0)
	b.expect(t, "indexing: 20,000 of 100,000 documents, 20%, 0:40 left, 3 files\n")
	b.after(time.Second).Add(1)
	b.Print("a document is cut")
	b.expect(t, "a document is cut\n")
	b.Done("100,000 documents")
	b.expect(t, "100,000 documents\n")

	b = newTestBar(Options{})
	b.after(lineEvery).Add(5)
	b.after(lineEvery).Add(5)
	b.expect(t, "5, 0.5/s\n10, 0.5/s\n")
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
	b := newTestBar(Options{Total: 1000, Unit: Items("files")})
	b.Estimate(func() (done, left float64) { return 30, 90 })
	b.after(20 * time.Second).Add(900)
	if got, want := b.said(), "900 of 1,000 files, 90%, 1:00 left, "; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLeft: the remaining time follows the rate since the start, not a slow moment.
func TestLeft(t *testing.T) {
	b := newTestBar(Options{Total: 1000, Unit: Items("files")})
	b.after(60 * time.Second).Add(600)
	b.said()
	b.after(60 * time.Second).Add(1)
	if got, want := b.said(), "601 of 1,000 files, 60%, 1:20 left, "; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSkip: skipped items count, but not towards the rate.
func TestSkip(t *testing.T) {
	b := newTestBar(Options{Total: 1000, Unit: Items("files")})
	b.Skip(600)
	b.after(lineEvery).Add(50)
	b.expect(t, "650 of 1,000 files, 65%, 1:10 left, 5.0/s\n")
	// Restarted: the count drops, and the rate does not become negative.
	b.after(lineEvery).Set(0)
	if got := b.said(); b.rate() != 0 || !strings.HasPrefix(got, "0 of 1,000 files, 0%") {
		t.Errorf("got %q, rate %g, want 0 files and no rate", got, b.rate())
	}
	// More than the total.
	b.after(lineEvery).Set(2000)
	if got := b.said(); !strings.HasPrefix(got, "2,000 of 1,000 files, 100%, ") || strings.Contains(got, "left") {
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

func TestAmounts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{size(0), "0 B"}, {size(999), "999 B"}, {size(1000), "1.00 kB"}, {size(9994), "9.99 kB"}, {size(9996), "10.0 kB"},
		{size(99_960), "100 kB"}, {size(999_400), "999 kB"}, {size(999_600), "1.00 MB"}, {size(1.5e9), "1.50 GB"},
		{size(1e18), "1.00 EB"}, {size(math.MaxInt64), "9.22 EB"},
		{grouped(0), "0"}, {grouped(999), "999"}, {grouped(1000), "1,000"}, {grouped(1234567), "1,234,567"},
		{clock(0), "0:00"}, {clock(59500 * time.Millisecond), "1:00"}, {clock(time.Hour + 2*time.Minute + 3*time.Second), "1:02:03"},
		{Items("x").rate(0.25), "0.2/s"}, {Items("x").rate(1e30), "4,611,686,018,427,387,904/s"},
		{Bytes.amount(5, 0), "5 B"}, {Items("x").amount(5, 0), "5 x"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	b := newTestBar(Options{Unit: Items("documents")})
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
	b.expect(t, "8,000 documents, 800/s\n")
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
