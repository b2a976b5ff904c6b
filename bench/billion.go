//go:build linux

package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
)

//go:embed measured.json
var measuredJSON []byte

// billion computes, from what engines has measured, what a collection of very many
// documents would take. Nothing is measured here.
func billion(_ context.Context, args []string) error {
	p := plan{columns: 4, k: results, pool: poolSize}
	measured := ""
	err := parse("billion", args, func(f *flag.FlagSet) {
		f.StringVar(&measured, "measured", "", "a file that engines -json has written; the one in the repository by default")
		f.Float64Var(&p.documents, "documents", 1e9, "documents")
		f.Float64Var(&p.shard, "shard", 1e7, "vectors in a shard")
		f.Float64Var(&p.node, "node", 256e9, "bytes of memory of a node")
		f.Float64Var(&p.usable, "usable", 0.8, "share of it that vectors may take")
	})
	if err != nil {
		return err
	}
	found := &figures{}
	if measured == "" {
		err = json.Unmarshal(measuredJSON, found)
	} else {
		found, err = readFigures(measured)
	}
	if err != nil {
		return err
	}
	graph, err := found.grown("weaviate", math.Log)
	if err != nil {
		return err
	}
	scan, err := found.grown("embedded", func(n float64) float64 { return n })
	if err != nil {
		return err
	}
	p.print(os.Stdout, graph, scan)
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
		return nil, fmt.Errorf("the arithmetic needs figures of %[1]s with two numbers of documents: go run ./bench engines -documents N -engines %[1]s -json FILE", engine)
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

// plan is a collection that there is not yet.
type plan struct {
	documents    float64
	shard        float64 // vectors
	node, usable float64
	columns      int // that a pool is compared with
	k, pool      int
}

// layout is how vectors are held in memory.
type layout struct {
	name  string
	bytes float64 // a vector
}

// linkBytes is what a graph takes for a vector: 64 neighbours in its lowest layer, as
// Weaviate has it unless it is told otherwise. The layers above are small.
const linkBytes = 64 * 8

// layouts are what one more document takes: the first as it was measured, with all
// that a server keeps beside vectors and with what Go's collector has not yet freed.
// Codes are as measured, too; links and float32 are counted.
func layouts(graph, scan *grown) []layout {
	float := 4 * float64(graph.many.Dimension)
	codes := scan.slope(scan.few.Memory, scan.many.Memory)
	return []layout{
		{"float32 in HNSW graphs, all of Weaviate as measured", graph.slope(graph.few.Memory, graph.many.Memory)},
		{"float32 in HNSW graphs, vectors and links alone", float + linkBytes},
		{"int8 codes in HNSW graphs, codes and links alone", codes + linkBytes},
		{"int8 codes, scanned", codes},
	}
}

// shards is how many there are with so many vectors of each document.
func (p *plan) shards(vectors int) int {
	return max(1, int(math.Ceil(p.documents*float64(vectors)/p.shard)))
}

// nodes is how many hold so many bytes.
func (p *plan) nodes(bytes float64) int { return int(math.Ceil(bytes / (p.node * p.usable))) }

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

// Bytes that go over the network.
const (
	refBytes        = 8
	similarityBytes = 4
)

// traffic is how much all shards send for one search, in bytes.
type traffic struct {
	Vectors float64 // every shard sends its pool with the vectors
	Columns float64 // every shard sends its pool with the columns of the formula
	Rounds  float64 // every shard sends what its pool is ranked by; those of the whole pool then send the columns
	Share   float64 // as Columns, but only share() of the pool
	Nearest float64 // every shard sends its k nearest, with one similarity: all that sqo needs
}

func (p *plan) traffic(shards, dimension int) traffic {
	n, pool := float64(shards), float64(p.pool)
	row := refBytes + similarityBytes*float64(p.columns)
	return traffic{
		Vectors: n * pool * (refBytes + 4*float64(dimension)),
		Columns: n * pool * row,
		Rounds:  n*pool*(refBytes+similarityBytes) + pool*row,
		Share:   n * float64(share(p.pool, shards)) * row,
		Nearest: n * float64(p.k) * (refBytes + similarityBytes),
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

func (p *plan) print(w io.Writer, graph, scan *grown) {
	fmt.Fprintf(w, "%.0f documents of %d dimensions; shards of %.0f vectors; nodes of %.0f GB, of which %.0f %% for vectors. All of it is arithmetic from figures of %d and of %d documents.\n",
		p.documents, graph.many.Dimension, p.shard, p.node/1e9, 100*p.usable, graph.few.Documents, graph.many.Documents)
	p.printSize(w, graph, scan)
	p.printSearch(w, graph, scan)
	p.printTraffic(w, graph.many.Dimension)
}

// perDocument are the numbers of vectors that are looked at: a whole alone, and with
// four passages.
var perDocument = []int{1, 5}

func (p *plan) printSize(w io.Writer, graph, scan *grown) {
	disk := graph.slope(graph.few.Disk, graph.many.Disk)
	fmt.Fprintf(w, "\n| vectors a document | held in memory | bytes a vector | TB | nodes, one replica | three | shards | on disk, TB |\n|---|---|---|---|---|---|---|---|\n")
	for _, vectors := range perDocument {
		for _, l := range layouts(graph, scan) {
			all := p.documents * float64(vectors) * l.bytes
			fmt.Fprintf(w, "| %d | %s | %.0f | %.2f | %d | %d | %d | %.1f |\n", vectors, l.name, l.bytes, all/1e12,
				p.nodes(all), p.nodes(3*all), p.shards(vectors), p.documents*float64(vectors)*disk/1e12)
		}
	}
}

func (p *plan) printSearch(w io.Writer, graph, scan *grown) {
	fmt.Fprintf(w, "\n| a search over all shards | shards | a shard's p50, p99, ms | the slowest's p50, p99, ms | processor of all, s |\n|---|---|---|---|---|\n")
	for _, vectors := range perDocument {
		n := p.shards(vectors)
		for _, kind := range []struct {
			name string
			*grown
		}{{"HNSW", graph}, {"int8 codes scanned", scan}} {
			for _, mode := range poolModes {
				p50, p99, cpu, ok := kind.shard(mode.String(), p.shard)
				if ok {
					fmt.Fprintf(w, "| %s, %s | %d | %.1f, %.1f | %.1f, %.1f | %.2f |\n", mode, kind.name,
						n, p50, p99, slowest(p50, p99, n, 0.5), slowest(p50, p99, n, 0.99), cpu*float64(n)/1e3)
				}
			}
		}
	}
}

func (p *plan) printTraffic(w io.Writer, dimension int) {
	few, many := p.shards(perDocument[0]), p.shards(perDocument[1])
	fmt.Fprintf(w, "\n| sent to whoever asks, MB a search | %d shards | %d shards |\n|---|---|---|\n", few, many)
	a, b := p.traffic(few, dimension), p.traffic(many, dimension)
	for _, line := range []struct {
		name string
		a, b float64
	}{
		{"rerank, hybrid: pools with their vectors, as the Weaviate store has it now", a.Vectors, b.Vectors},
		{fmt.Sprintf("pools with %d columns, compared by the shards", p.columns), a.Columns, b.Columns},
		{"in two rounds: the pools' order, then the columns of those that remain", a.Rounds, b.Rounds},
		{fmt.Sprintf("columns of only %d or %d of a pool of %d from each shard, the pool's share and five deviations", share(p.pool, few), share(p.pool, many), p.pool), a.Share, b.Share},
		{fmt.Sprintf("sqo: the %d nearest of each shard", p.k), a.Nearest, b.Nearest},
	} {
		fmt.Fprintf(w, "| %s | %.2f | %.2f |\n", line.name, line.a/1e6, line.b/1e6)
	}
}
