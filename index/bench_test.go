package index

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

// Sizes of the benchmarks, for example
//
//	go test ./index -run '^$' -bench 'Open|Search' -docs 1000000
var (
	benchDocs = flag.Int("docs", 100_000, "documents of BenchmarkSearch and BenchmarkOpen")
	benchDim  = flag.Int("dim", 384, "dimension of the benchmarks")
)

func benchOptions() Options {
	return Options{Dimension: *benchDim}
}

// benchBatch returns documents with a few words and metadata. Vectors repeat after a
// while, which does not affect the cost of a scan.
func benchBatch(r *rand.Rand, from, n int, next func() []float32, pool *[][]float32) []engine.Document {
	const distinct = 20_000
	docs := make([]engine.Document, n)
	for i := range docs {
		if len(*pool) < distinct {
			*pool = append(*pool, next())
		}
		id := from + i
		docs[i] = engine.Document{
			ID: fmt.Sprintf("doc-%09d", id), Title: "a title", Text: strings.Repeat("some words ", 10),
			Metadata: []byte(`{"year":` + strconv.Itoa(1900+id%100) + `}`), Vector: (*pool)[r.IntN(len(*pool))],
		}
	}
	return docs
}

// fillBench stores n documents and returns the rate, excluding their generation.
func fillBench(tb testing.TB, c *Collection, n, batch int) (perSecond float64) {
	r := rand.New(rand.NewPCG(1, 2))
	next := clustered(r, 20_000, *benchDim)
	var pool [][]float32
	var spent time.Duration
	for at := 0; at < n; at += batch {
		docs := benchBatch(r, at, min(batch, n-at), next, &pool)
		start := time.Now()
		must(tb, c.Upsert(context.Background(), docs))
		spent += time.Since(start)
	}
	return float64(n) / spent.Seconds()
}

// BenchmarkIngest stores precomputed vectors, synced and committed batch by batch.
func BenchmarkIngest(b *testing.B) {
	for _, batch := range []int{1, 100, 1000, 10_000} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			var rate float64
			for b.Loop() {
				c, err := Create(b.Context(), filepath.Join(b.TempDir(), "c"), benchOptions())
				must(b, err)
				rate = fillBench(b, c, min(50_000, 200*batch), batch)
				must(b, c.Close())
			}
			b.ReportMetric(rate, "docs/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// benchCollection returns the directory of a closed collection.
func benchCollection(b *testing.B) string {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "c")
	c, err := Create(b.Context(), dir, benchOptions())
	must(b, err)
	b.Logf("ingest %.0f docs/s", fillBench(b, c, *benchDocs, 10_000))
	must(b, c.Close())
	return dir
}

func BenchmarkOpen(b *testing.B) {
	dir := benchCollection(b)
	for _, readOnly := range []bool{false, true} {
		b.Run(fmt.Sprintf("readonly=%v", readOnly), func(b *testing.B) {
			for b.Loop() {
				c, err := Open(b.Context(), dir, Options{ReadOnly: readOnly})
				must(b, err)
				must(b, c.Close())
			}
		})
	}
}

// resident returns the memory of this process in bytes, in total and of mapped files, or
// 0 if unknown.
func resident() (all, files int64) {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) == 3 {
			kb, _ := strconv.ParseInt(fields[1], 10, 64)
			switch fields[0] {
			case "VmRSS:":
				all = kb << 10
			case "RssFile:":
				files = kb << 10
			}
		}
	}
	return all, files
}

// readAll reads memory on all cores and does next to nothing with it: the upper limit for
// a scan.
func readAll(b []byte) {
	const unit = 1 << 20
	_ = workers.Each(context.Background(), (len(b)+unit-1)/unit, cores(), func(_ context.Context, i int) error {
		bytes.Count(b[i*unit:min((i+1)*unit, len(b))], []byte{0x5a})
		return nil
	})
}

// BenchmarkSearch interleaves its cases, to get meaningful ratios on a noisy machine, and
// reports minimum times.
func BenchmarkSearch(b *testing.B) {
	dir := benchCollection(b)
	c, err := Open(b.Context(), dir, Options{ReadOnly: true})
	must(b, err)
	defer func() { must(b, c.Close()) }()
	r := rand.New(rand.NewPCG(3, 4))
	vectors := make([][]float32, 8)
	for i := range vectors {
		vectors[i] = randomVector(r, *benchDim)
	}
	ctx := b.Context()
	runtime.GC()
	_, before := resident()
	_, err = c.TopK(ctx, vectors[:1], 10, nil)
	must(b, err)
	_, after := resident()
	codes := c.current.lengths(c.current.state)
	b.Logf("TopK of 10 made %.1f MB of files resident, the codes have %.1f MB, the table %.1f MB",
		float64(after-before)/1e6, float64(codes[fileCodes]+codes[fileScales])/1e6, float64(codes[fileDocs])/1e6)

	// A new pool each time, to miss all caches.
	gather := func(q int) func() {
		return func() {
			pool := make([]engine.Ref, 1000)
			for i := range pool {
				pool[i] = refOf(Ordinal(1 + r.IntN(*benchDocs)))
			}
			_, err := c.Compare(ctx, pool, vectors[:q])
			must(b, err)
		}
	}
	half := &query.Predicate{Field: "year", Op: query.GreaterEqual, Value: "1950"}
	few := &query.Predicate{Field: "year", Value: "1950"}
	scan := func(q int, filter query.Node) func() {
		return func() { _, err := c.Scan(ctx, vectors[:q], filter); must(b, err) }
	}
	top := func(q int, filter query.Node) func() {
		return func() { _, err := c.TopK(ctx, vectors[:q], 1000, filter); must(b, err) }
	}
	tasks := []struct {
		name string
		run  func()
	}{
		{"read-vectors", func() { readAll(c.current.fileBytes(fileVectors)) }},
		{"read-codes", func() { readAll(c.current.fileBytes(fileCodes)) }},
		{"scan-q1", scan(1, nil)},
		{"scan-q4", scan(4, nil)},
		{"scan-q8", scan(8, nil)},
		{"top-q1", top(1, nil)},
		{"top-q4", top(4, nil)},
		{"scan-q1-half", scan(1, half)},
		{"scan-q1-1%", scan(1, few)},
		{"top-q1-half", top(1, half)},
		{"top-q1-1%", top(1, few)},
		{"gather-q1", gather(1)},
		{"gather-q6", gather(6)},
	}
	start := time.Now()
	top(1, half)()
	first := time.Since(start) // the predicate is not cached yet
	times := make([]float64, len(tasks))
	for i := range times {
		times[i] = math.Inf(1)
	}
	for b.Loop() {
		for i, task := range tasks {
			start := time.Now()
			task.run()
			times[i] = min(times[i], time.Since(start).Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1e3*first.Seconds(), "top-q1-half-first-ms")
	for i, task := range tasks {
		b.ReportMetric(1e3*times[i], task.name+"-ms")
	}
	b.ReportMetric(float64(codes[fileVectors])/times[0]/1e9, "read-GB/s")
	b.ReportMetric(times[0]/times[2], "scan-q1/read-speed")
	b.ReportMetric(times[2]/times[5], "top-q1/scan-q1-speed")
}

// BenchmarkMaintain measures Verify, Backup and Compact of a collection with every tenth
// document deleted.
func BenchmarkMaintain(b *testing.B) {
	dir := benchCollection(b)
	var verify, backup, remove, compact time.Duration
	for b.Loop() {
		clock := time.Now()
		lap := func() time.Duration {
			spent := time.Since(clock)
			clock = time.Now()
			return spent
		}
		expectSound(b, dir)
		verify = lap()
		c, err := Open(b.Context(), dir, Options{})
		must(b, err)
		copied := filepath.Join(b.TempDir(), "copy")
		lap()
		must(b, c.Backup(b.Context(), copied))
		backup = lap()
		must(b, c.Close())
		c, err = Open(b.Context(), copied, Options{})
		must(b, err)
		var ids []string
		for i := 0; i < *benchDocs; i += 10 {
			ids = append(ids, fmt.Sprintf("doc-%09d", i))
		}
		lap()
		_, err = c.Delete(b.Context(), ids)
		must(b, err)
		remove = lap()
		must(b, c.Compact(b.Context()))
		compact = lap()
		must(b, c.Close())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(verify.Seconds(), "verify-s")
	b.ReportMetric(backup.Seconds(), "backup-s")
	b.ReportMetric(float64(*benchDocs/10)/remove.Seconds(), "deletes/s")
	b.ReportMetric(compact.Seconds(), "compact-s")
}

// BenchmarkCompactBesideBatches measures a compaction, and the slowest of the batches
// committed meanwhile.
func BenchmarkCompactBesideBatches(b *testing.B) {
	const documents, dim = 60_000, 384
	ctx, r := b.Context(), source(b, 5)
	for range b.N {
		c := create(b, Options{Dimension: dim})
		for at := 0; at < documents; at += 2000 {
			docs := make([]engine.Document, 2000)
			for i := range docs {
				docs[i] = randomDocument(r, fmt.Sprint(at+i), dim)
			}
			must(b, c.Upsert(ctx, docs))
		}
		var ids []string
		for i := range documents / 4 {
			ids = append(ids, fmt.Sprint(4*i))
		}
		_, err := c.Delete(ctx, ids)
		must(b, err)
		done := make(chan error, 1)
		began := time.Now()
		var took time.Duration
		go func() {
			err := c.Compact(ctx)
			took = time.Since(began)
			done <- err
		}()
		var longest time.Duration
		batches := 0
		for running := true; running; batches++ {
			select {
			case err := <-done:
				must(b, err)
				running = false
			default:
				doc := randomDocument(r, fmt.Sprint("new-", batches), dim)
				before := time.Now()
				must(b, c.Upsert(ctx, []engine.Document{doc}))
				longest = max(longest, time.Since(before))
			}
		}
		b.ReportMetric(took.Seconds()*1000, "ms-compaction")
		b.ReportMetric(longest.Seconds()*1000, "ms-longest-batch")
		b.ReportMetric(float64(batches), "batches")
	}
}
