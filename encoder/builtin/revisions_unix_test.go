//go:build unix

package builtin

import (
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkRevisions alternates between the newest revision and the first, on one thread, over
// passages of about 100 to 200 tokens. It reports the passages per CPU second of both, and the
// median of their ratios.
func BenchmarkRevisions(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	newest := open(b)
	first, err := Revision("1")
	if err != nil {
		b.Fatal(err)
	}
	words := strings.Fields(strings.Join(texts(fixture(b)), " "))
	var passages []string
	for i := range 32 {
		passages = append(passages, strings.Join(words[i*200:][:80+10*i%100], " "))
	}
	took := func(e *Encoder) float64 {
		start := cpuTime()
		encode(b, e, passages...)
		return (cpuTime() - start).Seconds() / float64(len(passages))
	}
	took(newest)
	took(first)
	var x, y, ratios []float64
	for b.Loop() {
		x, y = append(x, took(newest)), append(y, took(first))
		ratios = append(ratios, x[len(x)-1]/y[len(y)-1])
	}
	median := func(values []float64) float64 {
		slices.Sort(values)
		return values[len(values)/2]
	}
	b.ReportMetric(0, "ns/op") // meaningless here, so not shown
	b.ReportMetric(1/median(x), "passages/cpu-s")
	b.ReportMetric(1/median(y), "revision-1-passages/cpu-s")
	b.ReportMetric(median(ratios), "times-the-time")
}

// cpuTime returns the processor time that the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
