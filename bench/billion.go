//go:build linux

package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
)

//go:embed measured.json
var measuredJSON []byte

// The collection that there is not yet.
const (
	planned   = 1e9   // documents
	shardSize = 1e7   // vectors
	nodeBytes = 256e9 // of memory
	usable    = 0.8   // share of it that vectors may take
)

// perDocument are the numbers of vectors that are looked at: a whole alone, and with
// four passages.
var perDocument = []int{1, 5}

// billion computes, from what engines has measured, what a collection of very many
// documents would take. Nothing is measured here.
func billion(_ context.Context, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("billion takes no flags")
	}
	f := &figures{}
	if err := json.Unmarshal(measuredJSON, f); err != nil {
		return err
	}
	return f.printBillion(os.Stdout)
}

func (f *figures) printBillion(w io.Writer) error {
	graph, err := f.grown("weaviate", math.Log)
	if err != nil {
		return err
	}
	scan, err := f.grown("embedded", func(n float64) float64 { return n })
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%.0f documents of %d dimensions; shards of %.0f vectors; nodes of %.0f GB, of which %.0f %% for vectors. All of it is arithmetic from figures of %d and of %d documents.\n",
		planned, graph.many.Dimension, shardSize, nodeBytes/1e9, 100*usable, graph.few.Documents, graph.many.Documents)
	printSize(w, graph, scan)
	printSearch(w, graph, scan)
	printTraffic(w, graph.many.Dimension)
	return nil
}

// grown is an engine as it was measured with few documents and with many.
type grown struct {
	few, many *engineFigures
	// work says how the cost of a search grows: with the logarithm of the number
	// of vectors in a graph, with the number itself in a scan.
	work func(n float64) float64
}

// grown finds the smallest and the largest that was measured of an engine.
func (f *figures) grown(engine string, work func(float64) float64) (*grown, error) {
	g := &grown{work: work}
	for i := range f.Engines {
		e := &f.Engines[i]
		if e.Engine != engine {
			continue
		}
		if g.few == nil || e.Documents < g.few.Documents {
			g.few = e
		}
		if g.many == nil || e.Documents > g.many.Documents {
			g.many = e
		}
	}
	if g.few == g.many {
		return nil, fmt.Errorf("the arithmetic needs figures of %[1]s with two numbers of documents: go run ./bench engines -documents N -engines %[1]s -json bench/measured.json", engine)
	}
	return g, nil
}

// slope is what one more document takes, in bytes.
func (g *grown) slope(few, many int64) float64 {
	return float64(many-few) / float64(g.many.Documents-g.few.Documents)
}

// at is what a figure comes to with n vectors, on the line through both that were
// measured; noise must not make more documents cost less.
func (g *grown) at(n, few, many float64) float64 {
	x0, x1, x := g.work(float64(g.few.Documents)), g.work(float64(g.many.Documents)), g.work(n)
	return max(many, many+(many-few)/(x1-x0)*(x-x1))
}

// shard is a mode on a shard of n vectors: the times of the store's own steps, in ms.
func (g *grown) shard(mode string, n float64) (p50, p99, cpu float64, ok bool) {
	few, many := g.few.mode(mode), g.many.mode(mode)
	if few == nil || many == nil {
		return 0, 0, 0, false
	}
	took := func(m *modeFigures) float64 { return m.Steps.Engine.P50 + m.Steps.Gather.P50 }
	p50 = g.at(n, took(few), took(many))
	// How much longer some take than most is that of the larger one.
	p99 = p50 * (many.Steps.Engine.P99 + many.Steps.Gather.P99) / took(many)
	// A coordinator need not ask every shard how much it holds in every search.
	return p50, p99, g.at(n, max(0, few.ServerCPU-g.few.SizeCPU), max(0, many.ServerCPU-g.many.SizeCPU)), true
}

// shards is how many there are with so many vectors of each document.
func shards(vectors int) int { return int(math.Ceil(planned * float64(vectors) / shardSize)) }

// nodes is how many hold so many bytes.
func nodes(bytes float64) int { return int(math.Ceil(bytes / (nodeBytes * usable))) }

// layout is how vectors are held in memory.
type layout struct {
	name  string
	bytes float64 // a vector
}

// layouts are what one more document takes: the first as it was measured, with all
// that a server keeps beside vectors and with what Go's collector has not yet freed.
// Codes are as measured, too; links and float32 are counted.
func layouts(graph, scan *grown) []layout {
	// A graph has 64 neighbours of a vector in its lowest layer, as Weaviate has it
	// unless it is told otherwise. The layers above are small.
	const links = 64 * 8
	codes := scan.slope(scan.few.Memory, scan.many.Memory)
	return []layout{
		{"float32 in HNSW graphs, all of Weaviate as measured", graph.slope(graph.few.Memory, graph.many.Memory)},
		{"float32 in HNSW graphs, vectors and links alone", 4*float64(graph.many.Dimension) + links},
		{"int8 codes in HNSW graphs, codes and links alone", codes + links},
		{"int8 codes, scanned", codes},
	}
}

func printSize(w io.Writer, graph, scan *grown) {
	disk := graph.slope(graph.few.Disk, graph.many.Disk)
	head(w, "vectors a document", "held in memory", "bytes a vector", "TB", "nodes, one replica", "three", "shards", "on disk, TB")
	for _, vectors := range perDocument {
		for _, l := range layouts(graph, scan) {
			all := planned * float64(vectors) * l.bytes
			fmt.Fprintf(w, "| %d | %s | %.0f | %.2f | %d | %d | %d | %.1f |\n", vectors, l.name, l.bytes, all/1e12,
				nodes(all), nodes(3*all), shards(vectors), planned*float64(vectors)*disk/1e12)
		}
	}
}

func printSearch(w io.Writer, graph, scan *grown) {
	head(w, "a search over all shards", "shards", "a shard's p50, p99, ms", "the slowest's p50, p99, ms", "processor of all, s")
	for _, vectors := range perDocument {
		n := shards(vectors)
		for _, kind := range []struct {
			name string
			*grown
		}{{"HNSW", graph}, {"int8 codes scanned", scan}} {
			for _, mode := range poolModes {
				if p50, p99, cpu, ok := kind.shard(mode.String(), shardSize); ok {
					fmt.Fprintf(w, "| %s, %s | %d | %.1f, %.1f | %.1f, %.1f | %.2f |\n", mode, kind.name,
						n, p50, p99, slowest(p50, p99, n, 0.5), slowest(p50, p99, n, 0.99), cpu*float64(n)/1e3)
				}
			}
		}
	}
}

// slowest is a quantile of the slowest of n shards, whose times are as those of one
// with the given median and 99th percentile: independent, and log-normal.
func slowest(p50, p99 float64, n int, quantile float64) float64 {
	if p50 <= 0 {
		return 0
	}
	sigma := max(0, math.Log(p99/p50)) / deviation(0.99)
	return p50 * math.Exp(sigma*deviation(math.Pow(quantile, 1/float64(n))))
}

// deviation is the quantile of a normal distribution.
func deviation(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// share is how many of a pool a shard has to send so that none of the pool is missing
// but once in some million searches: documents are spread over shards by chance, so
// that of a pool each has a binomial share, whose mean and five deviations this is.
func share(pool, shards int) int {
	if shards == 1 {
		return pool
	}
	p := 1 / float64(shards)
	mean := float64(pool) * p
	return min(pool, int(math.Ceil(mean+5*math.Sqrt(mean*(1-p)))))
}

// printTraffic is how much all shards send for one search.
func printTraffic(w io.Writer, dimension int) {
	const (
		columns         = 4 // that a pool is compared with
		ref, similarity = 8, 4
		row             = ref + similarity*columns
	)
	few, many := shards(perDocument[0]), shards(perDocument[1])
	head(w, "sent to whoever asks, MB a search", fmt.Sprintf("%d shards", few), fmt.Sprintf("%d shards", many))
	line := func(name string, bytes func(shards int) int) {
		fmt.Fprintf(w, "| %s | %.2f | %.2f |\n", name, float64(bytes(few))/1e6, float64(bytes(many))/1e6)
	}
	line("rerank, hybrid: pools with their vectors, as the Weaviate store has it now",
		func(n int) int { return n * poolSize * (ref + 4*dimension) })
	line(fmt.Sprintf("pools with %d columns, compared by the shards", columns),
		func(n int) int { return n * poolSize * row })
	line("in two rounds: the pools' order, then the columns of those that remain",
		func(n int) int { return n*poolSize*(ref+similarity) + poolSize*row })
	line(fmt.Sprintf("columns of only %d or %d of a pool of %d from each shard, the pool's share and five deviations", share(poolSize, few), share(poolSize, many), poolSize),
		func(n int) int { return n * share(poolSize, n) * row })
	line(fmt.Sprintf("sqo: the %d nearest of each shard", results),
		func(n int) int { return n * results * (ref + similarity) })
}
