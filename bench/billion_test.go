//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// near compares to four digits.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-4*max(1, math.Abs(b)) }

func TestShare(t *testing.T) {
	for _, c := range []struct{ pool, shards, want int }{
		{1000, 1, 1000},
		{1000, 100, 26}, // 10 and five times the root of 9.9
		{1000, 500, 10}, // 2 and five times the root of 1.996
		{10, 2, 10},     // never more than the pool
	} {
		if got := share(c.pool, c.shards); got != c.want {
			t.Errorf("%d over %d shards: %d, want %d", c.pool, c.shards, got, c.want)
		}
	}
}

// The slowest of n is at a quantile where all n are below with that probability.
func TestSlowest(t *testing.T) {
	const p50, p99 = 10, 40
	below := func(x float64) float64 {
		sigma := math.Log(p99/p50) / 2.3263478740408408
		return (1 + math.Erf(math.Log(x/p50)/sigma/math.Sqrt2)) / 2
	}
	for _, n := range []int{1, 3, 100, 500} {
		for _, q := range []float64{0.5, 0.99} {
			if got := math.Pow(below(slowest(p50, p99, n, q)), float64(n)); !near(got, q) {
				t.Errorf("%d shards: the quantile %g is at %g", n, q, got)
			}
		}
	}
	if got := slowest(p50, p99, 1, 0.5); !near(got, p50) {
		t.Errorf("the median of one is %g", got)
	}
	if got := slowest(p50, p99, 1, 0.99); !near(got, p99) {
		t.Errorf("the 99th percentile of one is %g", got)
	}
	if got := slowest(5, 4, 100, 0.99); got != 5 { // no spread at all
		t.Errorf("%g", got)
	}
}

// measured are figures of one engine in which every mode takes equally long.
func measured(engine string, documents int, memory int64, ms float64) engineFigures {
	e := engineFigures{Engine: engine, Documents: documents, Dimension: 384, Memory: memory, Disk: 2 * memory}
	for _, mode := range poolModes {
		e.Modes = append(e.Modes, modeFigures{Mode: mode.String(), ServerCPU: ms, Steps: steps{Engine: spread{ms, 2 * ms, 4 * ms}}})
	}
	return e
}

// example are figures that are easy to reckon with: from ten thousand to a hundred
// thousand documents the times grow by 1 ms in a graph, and tenfold in a scan.
func example() *figures {
	return &figures{Engines: []engineFigures{
		measured("weaviate", 10_000, 70e6, 4), measured("weaviate", 100_000, 250e6, 5),
		measured("embedded", 10_000, 3.88e6, 1), measured("embedded", 100_000, 38.8e6, 10),
	}}
}

func TestGrown(t *testing.T) {
	f := example()
	graph, err := f.grown("weaviate", math.Log)
	if err != nil {
		t.Fatal(err)
	}
	scan, err := f.grown("embedded", func(n float64) float64 { return n })
	if err != nil {
		t.Fatal(err)
	}
	// A graph's grows by 1 ms with every factor of ten, a scan's with every 10,000.
	for _, c := range []struct {
		g    *grown
		n    float64
		want float64
	}{{graph, 1e7, 7}, {scan, 1e7, 1000}, {graph, 1e5, 5}} {
		if p50, p99, cpu, ok := c.g.shard("sqo", c.n); !ok || !near(p50, c.want) || !near(p99, 4*c.want) || !near(cpu, c.want) {
			t.Errorf("%g vectors: %g, %g, %g, want %g", c.n, p50, p99, cpu, c.want)
		}
	}
	if _, _, _, ok := graph.shard("exact", 1e7); ok {
		t.Error("a mode that was not measured is known")
	}
	for i, want := range []float64{2000, 4*384 + 512, 388 + 512, 388} {
		if got := layouts(graph, scan)[i].bytes; !near(got, want) {
			t.Errorf("layout %d: %g bytes, want %g", i, got, want)
		}
	}
	// Noise: more documents were faster.
	f.Engines[1] = measured("weaviate", 100_000, 250e6, 3)
	if graph, err = f.grown("weaviate", math.Log); err != nil {
		t.Fatal(err)
	}
	if p50, _, _, _ := graph.shard("sqo", 1e7); p50 != 3 {
		t.Errorf("more documents cost less: %g", p50)
	}
	f.Engines = f.Engines[1:]
	if _, err := f.grown("weaviate", math.Log); err == nil {
		t.Error("one number of documents is enough")
	}
}

func TestPlan(t *testing.T) {
	if a, b := shards(1), shards(5); a != 100 || b != 500 {
		t.Errorf("%d and %d shards", a, b)
	}
	if n := nodes(2e12); n != 10 { // 9.77
		t.Errorf("%d nodes", n)
	}
}

// The tables, from figures that are easy to reckon with.
func TestBillion(t *testing.T) {
	const golden = "testdata/billion.txt"
	var out bytes.Buffer
	if err := example().printBillion(&out); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

// What is in the repository is enough for the arithmetic.
func TestMeasured(t *testing.T) {
	f := &figures{}
	if err := json.Unmarshal(measuredJSON, f); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"weaviate", "embedded"} {
		g, err := f.grown(name, math.Log)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range poolModes {
			if p50, p99, cpu, ok := g.shard(mode.String(), 1e7); !ok || p50 <= 0 || p99 < p50 || cpu <= 0 {
				t.Errorf("%s, %s: %g, %g, %g, %t", name, mode, p50, p99, cpu, ok)
			}
		}
	}
}
