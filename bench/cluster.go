//go:build linux

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/choose"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
)

// outage is what cluster does to three nodes.
type outage struct {
	documents, pool, workers int
	seconds, kill, back      int // of the load; when a node is killed, and brought back
	node                     int // that one; -1: the one that leads Raft
	settings                 []string
}

// cluster puts searches and writes on three Weaviate nodes, kills one of them in the
// middle and brings it back, and prints what was answered second by second and what
// is there in the end, on each node.
func cluster(ctx context.Context, args []string) error {
	o, replicas, levels, settings := outage{}, "3,1", "ONE,QUORUM", ""
	err := parse("cluster", args, func(f *flag.FlagSet) {
		f.IntVar(&o.documents, "documents", 5000, "documents")
		f.IntVar(&o.pool, "pool", 100, "size of the pool that a search ranks")
		f.IntVar(&o.workers, "workers", 4, "that search; one more writes")
		f.IntVar(&o.seconds, "seconds", 40, "of load")
		f.IntVar(&o.kill, "kill", 10, "second in which a node is killed")
		f.IntVar(&o.back, "back", 25, "second in which it is started again")
		f.IntVar(&o.node, "node", -1, "number of the node, from 0; -1: the one that leads Raft")
		f.StringVar(&replicas, "replicas", replicas, "of each shard, one run for each")
		f.StringVar(&levels, "levels", levels, "of consistency, one run for each")
		f.StringVar(&settings, "settings", "", "of the servers, NAME=VALUE,NAME=VALUE")
	})
	if err != nil {
		return err
	}
	if o.documents < 1 || o.workers < 1 || o.node < -1 || o.node >= clusterNodes || o.kill < 0 || o.back <= o.kill || o.seconds <= o.back {
		return fmt.Errorf("there must be documents and workers, a node between -1 and %d, and it must be killed before it comes back, and that before the end", clusterNodes-1)
	}
	if settings != "" {
		o.settings = strings.Split(settings, ",")
	}
	if err := weaviatetest.Isolate(); err != nil {
		return err
	}
	fmt.Printf("    %s\n", strings.TrimSpace("go run ./bench cluster "+strings.Join(args, " ")))
	source := corpusSource{Shared: "../shared/data", Cache: ".cache/bench-vectors"}
	corpus, err := source.read(ctx, o.documents, dimension, 24)
	if err != nil {
		return err
	}
	for _, r := range strings.Split(replicas, ",") {
		for _, level := range strings.Split(levels, ",") {
			if err := o.run(ctx, corpus, r, level); err != nil {
				return fmt.Errorf("%s replicas at %s: %w", r, level, err)
			}
		}
	}
	return nil
}

const clusterNodes = 3

// patience is how long a search or a write may take.
const patience = 30 * time.Second

// run is one outage, of a cluster of its own.
func (o *outage) run(ctx context.Context, corpus *corpus, replicas, level string) error {
	dir, err := os.MkdirTemp("", "nsfl-cluster-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c, err := weaviatetest.Start(ctx, weaviatetest.Options{Nodes: clusterNodes, Dir: dir, Env: o.settings})
	if err != nil {
		return err
	}
	defer c.Close() //nolint:errcheck // it is removed
	leads, err := leader(ctx, c)
	if err != nil {
		return err
	}
	victim := o.node
	if victim < 0 {
		victim = leads
	}
	place := func(nodes ...int) string {
		return c.URL(nodes...) + fmt.Sprintf("&collection=Bench&shards=%d&replicas=%s&consistency=%s", clusterNodes, replicas, level)
	}
	// The one that will be killed is asked first.
	store, err := choose.Open(ctx, place(victim, (victim+1)%clusterNodes, (victim+2)%clusterNodes), choose.Options{Dimension: dimension, Encoder: corpus.Encoder.Identity().String(), WriteTimeout: patience})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // it is removed
	for part := range slices.Chunk(corpus.Docs, 1000) {
		if err := store.Upsert(ctx, part); err != nil {
			return err
		}
	}
	before := loadAverage()
	l := newPressure(store, corpus, o.pool)
	var restarted error
	events := map[int]func(){
		o.kill: func() { l.event(fmt.Sprintf("%s is killed", c.Name(victim)), c.Kill(victim)) },
		o.back: func() {
			l.event(c.Name(victim)+" is started", nil)
			restarted = c.Restart(ctx, victim)
			l.event(c.Name(victim)+" is ready", restarted)
		},
	}
	l.run(ctx, o.workers, o.seconds, events)
	fmt.Printf("\n%d documents in %d shards, %s replica(s) of each, consistency %s; a pool of %d, %d workers; %s leads Raft; load of the machine %.1f before and %.1f after\n\n",
		len(corpus.Docs), clusterNodes, replicas, level, o.pool, o.workers, c.Name(leads), before, loadAverage())
	l.print(os.Stdout, o.kill, o.back)
	if restarted != nil {
		return restarted
	}
	wanted := map[string]engine.Document{}
	for _, d := range append(slices.Clone(corpus.Docs), l.acknowledged...) {
		wanted[d.ID] = d
	}
	fmt.Printf("\n| read back from | documents | of %d acknowledged: missing | different | written though not acknowledged | everything is there after, s |\n|---|---|---|---|---|---|\n", len(wanted))
	ended := time.Now()
	nodes := map[string][]int{"all nodes": nil}
	for i := range clusterNodes {
		nodes[c.Name(i)+" alone"] = []int{i}
	}
	lost := 0
	for _, name := range slices.Sorted(maps.Keys(nodes)) {
		b, err := readBack(ctx, place(nodes[name]...), wanted)
		if err != nil {
			return fmt.Errorf("reading back from %s: %w", name, err)
		}
		fmt.Printf("| %s | %d | %d | %d | %d | %.0f |\n", name, b.documents, b.missing, b.different, b.more, time.Since(ended).Seconds())
		lost += b.missing + b.different
	}
	if lost > 0 {
		return fmt.Errorf("%d documents that were acknowledged are missing or different", lost)
	}
	return nil
}

// leader is the number of the node that leads Raft, by which classes are agreed on.
func leader(ctx context.Context, c *weaviatetest.Cluster) (int, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.HTTP(0)+"/v1/cluster/statistics", nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close() //nolint:errcheck // nothing was written
	var found struct {
		Statistics []struct{ LeaderID any }
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		return 0, fmt.Errorf("asking which node leads: %w", err)
	}
	for _, s := range found.Statistics {
		for i := range clusterNodes {
			if name, _ := s.LeaderID.(string); name == c.Name(i) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("asking which node leads: no node says so")
}

// back is what was read back.
type back struct{ documents, missing, different, more int }

// readBack reads all documents, again and again until nothing is missing or some
// minutes have gone by: a node that was away learns in the background what it has
// missed.
func readBack(ctx context.Context, place string, wanted map[string]engine.Document) (b back, err error) {
	const longest, pause = 3 * time.Minute, time.Second
	store, err := choose.Open(ctx, place, choose.Options{})
	if err != nil {
		return b, err
	}
	defer store.Close() //nolint:errcheck // nothing was written
	for start := time.Now(); ; {
		b, err = compareAll(ctx, store, wanted)
		if err == nil && b.missing+b.different == 0 || time.Since(start) > longest {
			return b, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return b, ctx.Err()
		}
	}
}

// compareAll lists a store.
func compareAll(ctx context.Context, store engine.Collection, wanted map[string]engine.Document) (b back, err error) {
	there := map[string]bool{}
	for mark := ""; ; {
		docs, next, err := store.List(ctx, mark, 1000)
		if err != nil {
			return b, err
		}
		if len(docs) == 0 {
			break
		}
		mark = next
		for _, d := range docs {
			if there[d.ID] {
				continue
			}
			there[d.ID] = true
			b.documents++
			switch w, ok := wanted[d.ID]; {
			case !ok:
				b.more++
			case w.Text != d.Text || w.Title != d.Title || slices.CompareFunc(w.Vector, d.Vector, nearly) != 0:
				b.different++
			}
		}
	}
	for id := range wanted {
		if !there[id] {
			b.missing++
		}
	}
	return b, nil
}

// nearly compares components of vectors, which are brought to length 1 when they are
// stored.
func nearly(a, b float32) int {
	if d := a - b; d < 1e-5 && d > -1e-5 {
		return 0
	}
	return cmp.Compare(a, b)
}
