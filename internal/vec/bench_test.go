//go:build linux

package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The large benchmarks read this many rows: 1.33 GB of float32.
const (
	benchRows = 325_000
	benchDim  = 1024
)

// benchMemory is one region in huge pages that all large benchmarks share, as floats, int8
// codes or sign codes: three regions would need too much memory.
var benchMemory = sync.OnceValue(func() []float32 {
	const size = benchRows * benchDim * 4
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	// Without huge pages the figures are lower, but still comparable.
	_ = syscall.Madvise(b, syscall.MADV_HUGEPAGE)
	v := unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), size/4)
	r := rand.NewPCG(1, 2)
	for i := 0; i < len(v); i += 2 {
		// Each draw makes two floats in [1, 2).
		x := r.Uint64()
		v[i] = math.Float32frombits(uint32(x)>>9 | 0x3f800000)
		v[i+1] = math.Float32frombits(uint32(x>>32)>>9 | 0x3f800000)
	}
	return v
})

// readGo is the Go version of read.
func readGo(v []float32) (sum float32) {
	for ; len(v) >= lanes; v = v[lanes:] {
		sum += (v[0] + v[1]) + (v[2] + v[3]) + (v[4] + v[5]) + (v[6] + v[7])
	}
	return sum
}

// bench holds the data of a large benchmark: rows and an output column for each query.
type bench struct {
	rows, scales []float32
	out, queries [][]float32
}

func newBench(b *testing.B) bench {
	if testing.Short() {
		b.Skip("reads 1.33 GB")
	}
	d := bench{rows: benchMemory(), scales: make([]float32, benchRows)}
	for i := range d.scales {
		d.scales[i] = 1
	}
	for j := range MaxQueries {
		d.queries = append(d.queries, d.rows[j*benchDim:(j+1)*benchDim])
		d.out = append(d.out, make([]float32, benchRows))
	}
	return d
}

func (d bench) columns(q, lo, hi int) [][]float32 {
	out := make([][]float32, q)
	for j := range out {
		out[j] = d.out[j][lo:hi]
	}
	return out
}

func (d bench) read(lo, hi int) { read(d.rows[lo*benchDim : hi*benchDim]) }

func (d bench) dots(q int) func(lo, hi int) {
	p, _ := Pack(d.queries[:q]...)
	return func(lo, hi int) { p.Dots(d.columns(q, lo, hi), d.rows[lo*benchDim:hi*benchDim]) }
}

func (d bench) dots8(q int) func(lo, hi int) {
	p, _ := Pack8(d.queries[:q]...)
	rows := unsafe.Slice((*int8)(unsafe.Pointer(&d.rows[0])), benchRows*benchDim)
	return func(lo, hi int) { p.Dots(d.columns(q, lo, hi), rows[lo*benchDim:hi*benchDim], d.scales[lo:hi]) }
}

// split runs f over all rows on the given number of goroutines.
func split(threads int, f func(lo, hi int)) func() {
	return func() {
		var wg sync.WaitGroup
		for t := range threads {
			wg.Go(func() { f(t*benchRows/threads, (t+1)*benchRows/threads) })
		}
		wg.Wait()
	}
}

// best runs the functions in turn, b.N times, and returns the shortest time of each in
// seconds. Taking turns makes the ratios reliable on a noisy machine.
func best(b *testing.B, fs ...func()) []float64 {
	times := make([]float64, len(fs))
	for i := range times {
		times[i] = math.Inf(1)
	}
	for b.Loop() {
		for i, f := range fs {
			start := time.Now()
			f()
			times[i] = min(times[i], time.Since(start).Seconds())
		}
	}
	b.ReportMetric(0, "ns/op") // the sum over fs is meaningless
	return times
}

func forThreads(b *testing.B, f func(b *testing.B, threads int)) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) { f(b, threads) })
	}
}

// BenchmarkDots compares float rows with the bandwidth of plain reading.
func BenchmarkDots(b *testing.B) {
	d := newBench(b)
	forThreads(b, func(b *testing.B, threads int) {
		t := best(b, split(threads, d.read), split(threads, d.dots(1)), split(threads, d.dots(4)), split(threads, d.dots(8)))
		b.ReportMetric(benchRows*benchDim*4/t[0]/1e9, "read-GB/s")
		b.ReportMetric(1e3*t[1], "q1-ms")
		b.ReportMetric(t[0]/t[1], "q1/read-speed")
		b.ReportMetric(t[2]/t[1], "q4/q1-time")
		b.ReportMetric(t[3]/t[1], "q8/q1-time")
	})
}

// BenchmarkDots8 compares int8 rows with float rows.
func BenchmarkDots8(b *testing.B) {
	d := newBench(b)
	forThreads(b, func(b *testing.B, threads int) {
		t := best(b, split(threads, d.dots(1)), split(threads, d.dots8(1)), split(threads, d.dots(4)), split(threads, d.dots8(4)))
		b.ReportMetric(1e3*t[1], "q1-ms")
		b.ReportMetric(1e3*t[3], "q4-ms")
		b.ReportMetric(t[0]/t[1], "q1/float-speed")
		b.ReportMetric(t[2]/t[3], "q4/float-speed")
	})
}

// BenchmarkGather compares six queries over a pool of scattered rows with reading those
// rows, using new rows each time to defeat the caches.
func BenchmarkGather(b *testing.B) {
	const pool, q = 1000, 6
	d := newBench(b)
	r := rand.New(rand.NewPCG(3, 4))
	ids := make([]uint32, pool)
	draw := func() {
		for i := range ids {
			ids[i] = r.Uint32N(benchRows)
		}
	}
	six, _ := Pack(d.queries[:q]...)
	one, _ := Pack(d.queries[0])
	out := d.columns(q, 0, pool)
	tasks := []func(){
		func() {
			for _, id := range ids {
				d.read(int(id), int(id)+1)
			}
		},
		func() { one.Gather(out[:1], d.rows, ids) },
		func() { six.Gather(out, d.rows, ids) },
	}
	sums := make([]float64, len(tasks))
	for b.Loop() {
		for i, f := range tasks {
			draw()
			start := time.Now()
			f()
			sums[i] += time.Since(start).Seconds()
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1e6*sums[2]/float64(b.N), "q6-µs")
	b.ReportMetric(sums[2]/sums[0], "q6/read-time")
	b.ReportMetric(sums[2]/sums[1], "q6/q1-time")
}

func BenchmarkTopK(b *testing.B) {
	scores := make([]float32, benchRows)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range scores {
		scores[i] = float32(r.NormFloat64())
	}
	for _, k := range []int{100, 1000, 8000} {
		b.Run(fmt.Sprintf("k=%d", k), func(b *testing.B) {
			for b.Loop() {
				t := NewTopK(k)
				t.Push(0, scores)
				t.Ranked()
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, d := range []int{384, 1024} {
		v := make([]float32, d)
		for i := range v {
			v[i] = rand.Float32()
		}
		b.Run(fmt.Sprintf("int8/d=%d", d), func(b *testing.B) {
			code := make([]int8, d)
			for b.Loop() {
				Quantize8(code, v)
			}
		})
	}
}
