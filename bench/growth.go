//go:build linux

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/vec"
)

// point is what is measured of one collection.
type point struct {
	Documents int
	IngestS   float64 // seconds of Upsert alone, durable
	probed
	CodesMB, FilesMB float64
}

// probed is measured by a process of its own, so that its memory is that of a
// search and nothing else.
type probed struct {
	OpenMS            float64
	Top1, Top4        float64 // ms: TopK to 1000 by codes, one vector and four
	Scan1, Scan4      float64 // ms: exact, all documents
	Recall            float64 // of TopK to 1000, against the exact scan
	Words             float64 // ms: the 1000 best by the words of two atoms
	Hybrid, Worded    float64 // ms: a search for two atoms by hybrid, without words and with them
	CodesRSS, ScanRSS float64 // MB resident after one TopK to 10, and after a scan
}

// growth makes collections of growing size, clustered vectors of dimension 384 and
// texts, and prints a table; --plot writes a picture of it.
func growth(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("growth", flag.ExitOnError)
	sizes := f.String("sizes", "10000,31623,100000,316228,1000000", "numbers of documents")
	codes := f.String("codes", "int8", "int8 or signs")
	plot := f.String("plot", "", "write an SVG here")
	kept := f.String("dir", "", "keep the collections here, so that they can be measured again with -probe")
	probe := f.String("probe", "", "measure this collection only (used by the command itself)")
	_ = f.Parse(args) // it exits
	if *probe != "" {
		return printProbe(ctx, *probe)
	}
	dir := *kept
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "nsfl-growth-*"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	var points []point
	head(os.Stdout, "documents", "ingest, documents/s", "open, ms", "top 1000, ms: 1 vector", "4 vectors", "recall@1000", "exact scan, ms: 1 vector", "4 vectors",
		"1000 by words, ms", "hybrid, ms: without words", "with words", "codes, MB", "all files, MB", "resident MB: after one search by codes", "after scans")
	for _, text := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		p, err := grow(ctx, filepath.Join(dir, text), n, *codes)
		if err != nil {
			return err
		}
		points = append(points, p)
		if *kept == "" {
			_ = os.RemoveAll(filepath.Join(dir, text)) // the next needs the room
		}
		fmt.Printf("| %d | %.0f | %.1f | %.2f | %.2f | %.4f | %.1f | %.1f | %.1f | %.1f | %.1f | %.0f | %.0f | %.0f | %.0f |\n", n, float64(n)/p.IngestS, p.OpenMS, p.Top1, p.Top4, p.Recall, p.Scan1, p.Scan4, p.Words, p.Hybrid, p.Worded, p.CodesMB, p.FilesMB, p.CodesRSS, p.ScanRSS)
	}
	if *plot == "" {
		return nil
	}
	return os.WriteFile(*plot, []byte(drawGrowth(points)), 0o666)
}

const dimension = 384

// grow makes a collection and measures it.
func grow(ctx context.Context, dir string, n int, codes string) (p point, err error) {
	p.Documents = n
	o := index.Options{Dimension: dimension, Encoder: "bench"}
	if codes == "signs" {
		o.Codes = index.Signs
	}
	c, err := index.Create(ctx, dir, o)
	if err != nil {
		return p, err
	}
	source := newClusters(1)
	texts, err := newProse()
	if err != nil {
		return p, err
	}
	const batch = 10_000
	for at := 0; at < n; at += batch {
		docs := make([]engine.Document, min(batch, n-at))
		for i := range docs {
			docs[i] = engine.Document{ID: "doc-" + strconv.Itoa(at+i), Text: texts.text(pieceCount), Vector: source.next()}
		}
		start := time.Now()
		if err := c.Upsert(ctx, docs); err != nil {
			return p, err
		}
		p.IngestS += time.Since(start).Seconds()
	}
	st, err := c.Stats(ctx)
	if err != nil {
		return p, err
	}
	p.CodesMB, p.FilesMB = float64(st.CodeBytes)/1e6, float64(st.Bytes)/1e6
	if err := c.Close(); err != nil {
		return p, err
	}
	self, err := os.Executable()
	if err != nil {
		return p, err
	}
	out, err := exec.CommandContext(ctx, self, "growth", "-probe", dir).Output()
	if err != nil {
		return p, fmt.Errorf("measuring in a process of its own: %w", err)
	}
	return p, json.Unmarshal(out, &p.probed)
}

func printProbe(ctx context.Context, dir string) error {
	var p probed
	start := time.Now()
	c, err := index.Open(ctx, dir, index.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer c.Close()
	p.OpenMS = inMS(time.Since(start))
	source := newClusters(2)
	var queries [][]float32
	for range 64 {
		queries = append(queries, source.next())
	}
	timed := func(q int, f func(vectors [][]float32) error) (float64, error) {
		var times []float64
		for i := 0; i+q <= len(queries) && len(times) < 15; i += q {
			start := time.Now()
			if err := f(queries[i : i+q]); err != nil {
				return 0, err
			}
			times = append(times, inMS(time.Since(start)))
		}
		return median(times), nil
	}
	topK := func(k int) func([][]float32) error {
		return func(v [][]float32) error { _, err := c.TopK(ctx, v, k, nil); return err }
	}
	scanAll := func(v [][]float32) error { _, err := c.Scan(ctx, v, nil); return err }
	if err := topK(10)(queries[:1]); err != nil {
		return err
	}
	p.CodesRSS = float64(resident(os.Getpid())) / 1e6
	for _, m := range []struct {
		to *float64
		q  int
		f  func([][]float32) error
	}{{&p.Top1, 1, topK(1000)}, {&p.Top4, 4, topK(1000)}, {&p.Scan1, 1, scanAll}, {&p.Scan4, 4, scanAll}} {
		if *m.to, err = timed(m.q, m.f); err != nil {
			return err
		}
	}
	p.ScanRSS = float64(resident(os.Getpid())) / 1e6
	if p.Recall, err = recall(ctx, c, queries[:16], 1000); err != nil {
		return err
	}
	if err := p.listen(ctx, c); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(p)
}

// recall is the share of the k most similar documents that TopK finds.
func recall(ctx context.Context, c *index.Collection, queries [][]float32, k int) (float64, error) {
	found, all := 0, 0
	for _, q := range queries {
		hits, err := c.TopK(ctx, [][]float32{q}, k, nil)
		if err != nil {
			return 0, err
		}
		columns, err := c.Scan(ctx, [][]float32{q}, nil)
		if err != nil {
			return 0, err
		}
		exact := vec.NewTopK(k)
		exact.Push(0, columns.Similarities[0])
		_, similarities := exact.Ranked()
		all += len(similarities)
		for _, h := range hits[0] {
			// Similarities are exact, so those of the best documents tell.
			if h.Similarity >= similarities[len(similarities)-1] {
				found++
			}
		}
	}
	return float64(found) / float64(all), nil
}

// clusters draws vectors around common centres, as texts of a corpus lie around
// its topics.
type clusters struct {
	centres [][]float32
	random  *rand.Rand
}

func newClusters(seed uint64) *clusters {
	c := &clusters{random: rand.New(rand.NewPCG(7, 7))} // the same centres for all seeds
	for range 1000 {
		c.centres = append(c.centres, c.gaussian())
	}
	c.random = rand.New(rand.NewPCG(seed, 1))
	return c
}

func (c *clusters) gaussian() []float32 {
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(c.random.NormFloat64())
	}
	return v
}

func (c *clusters) next() []float32 {
	v := c.gaussian()
	for i, x := range c.centres[c.random.IntN(len(c.centres))] {
		v[i] = x + 0.8*v[i]
	}
	return v
}
