//go:build unix

package onnx

import (
	"flag"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var speedModels = flag.String("models", "", "folders with models to compare, separated by commas; default: those that nsfl model pull has installed")

// BenchmarkKernels alternates between package bert and ONNX Runtime with the same file of
// weights, in one process and on one thread, over passages of about 100 to 200 tokens. It
// reports the passages per CPU second of both, and the median of their ratios.
//
//	go test -run '^$' -bench Kernels -benchtime 5x ./encoder/onnx -args -models DIR,DIR
func BenchmarkKernels(b *testing.B) {
	folders := strings.Split(*speedModels, ",")
	if *speedModels == "" {
		folders = nil
		for _, p := range Presets() {
			if !p.Pictures {
				folders = append(folders, p.Name)
			}
		}
	}
	for _, folder := range folders {
		b.Run(filepath.Base(folder), func(b *testing.B) {
			o := Options{Pooling: "mean"}
			if p, err := PresetByName(folder); err == nil && *speedModels == "" {
				folder, o = installed(b, p), p.Options()
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			ours, err := Open(folder, o)
			if err != nil {
				b.Fatal(err)
			}
			peer := openPeer(b, ours, folder)
			texts := passages(b, ours, 16)
			took := func(encode func()) float64 {
				start := cpuTime()
				encode()
				return (cpuTime() - start).Seconds() / float64(len(texts))
			}
			one, other := func() { encode(b, ours, texts) }, func() { peer.encode(b, texts) }
			took(one)
			took(other)
			var a, t, ratios []float64
			for b.Loop() {
				x, y := took(one), took(other)
				a, t, ratios = append(a, x), append(t, y), append(ratios, y/x)
			}
			median := func(values []float64) float64 {
				slices.Sort(values)
				return values[len(values)/2]
			}
			b.ReportMetric(0, "ns/op") // meaningless here, so not shown
			b.ReportMetric(1/median(a), "passages/cpu-s")
			b.ReportMetric(1/median(t), "onnxruntime-passages/cpu-s")
			b.ReportMetric(median(ratios), "times-as-fast")
		})
	}
}

// passages returns n texts of about 100 to 200 tokens.
func passages(b *testing.B, e *Encoder, n int) (out []string) {
	words := strings.Fields(strings.Join(fixtureTexts(b), " "))
	for i := range n {
		words := words[i*200:][:80+10*i%100]
		out = append(out, strings.Join(words, " "))
	}
	tokens := 0
	for _, text := range out {
		tokens += e.Tokens(text)
	}
	if mean := tokens / n; mean < 100 || mean > 200 {
		b.Fatalf("passages have %d tokens on average, want 100 to 200", mean)
	}
	return out
}

// cpuTime returns the processor time that the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
