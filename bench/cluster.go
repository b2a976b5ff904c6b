//go:build linux

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/weaviatetest"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// outage is what happens to three nodes.
type outage struct {
	corpus          *corpus
	replicas, level string
	settings        []string
}

const (
	clusterNodes = 3
	clusterPool  = 100 // that a search ranks
	searchers    = 4   // that search; one more writes
	// The load in seconds; when a node is killed, and brought back.
	seconds, killed, broughtBack = 40, 10, 25
	patience                     = 30 * time.Second // how long a search or a write may take
)

// cluster puts searches and writes on three Weaviate nodes, kills one of them in the
// middle and brings it back, and prints what was answered second by second and what
// is there in the end, on each node.
func cluster(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("cluster", flag.ExitOnError)
	replicas := f.String("replicas", "3,1", "of each shard, one run for each")
	levels := f.String("levels", "ONE,QUORUM", "of consistency, one run for each")
	settings := f.String("settings", "", "of the servers, NAME=VALUE,NAME=VALUE")
	_ = f.Parse(args) // it exits
	if err := weaviatetest.Isolate(); err != nil {
		return err
	}
	fmt.Printf("    %s\n", strings.TrimSpace("go run ./bench cluster "+strings.Join(args, " ")))
	corpus, err := developmentData.read(ctx, 5000, 24)
	if err != nil {
		return err
	}
	o := outage{corpus: corpus}
	if *settings != "" {
		o.settings = strings.Split(*settings, ",")
	}
	for _, o.replicas = range strings.Split(*replicas, ",") {
		for _, o.level = range strings.Split(*levels, ",") {
			if err := o.run(ctx); err != nil {
				return fmt.Errorf("%s replicas at %s: %w", o.replicas, o.level, err)
			}
		}
	}
	return nil
}

// run is one outage, of a cluster of its own.
func (o *outage) run(ctx context.Context) error {
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
	victim, err := leader(ctx, c)
	if err != nil {
		return err
	}
	place := func(nodes ...int) string {
		return c.URL(nodes...) + fmt.Sprintf("&collection=Bench&shards=%d&replicas=%s&consistency=%s", clusterNodes, o.replicas, o.level)
	}
	// The one that will be killed is asked first.
	store, err := stores.Open(ctx, place(victim, (victim+1)%clusterNodes, (victim+2)%clusterNodes), engine.Options{Dimension: dimension, Encoder: o.corpus.Encoder.Identity().String(), WriteTimeout: patience})
	if err != nil {
		return err
	}
	defer store.Close() //nolint:errcheck // it is removed
	if err := upsert(ctx, store, o.corpus.Docs, 1000); err != nil {
		return err
	}
	before := loadAverage()
	l := newPressure(store, o.corpus, clusterPool)
	var restarted error
	events := map[int]func(){
		killed: func() { l.event(fmt.Sprintf("%s is killed", c.Name(victim)), c.Kill(victim)) },
		broughtBack: func() {
			l.event(c.Name(victim)+" is started", nil)
			restarted = c.Restart(ctx, victim)
			l.event(c.Name(victim)+" is ready", restarted)
		},
	}
	l.run(ctx, searchers, seconds, events)
	fmt.Printf("\n%d documents in %d shards, %s replica(s) of each, consistency %s; a pool of %d, %d workers; %s leads Raft; load of the machine %.1f before and %.1f after\n",
		len(o.corpus.Docs), clusterNodes, o.replicas, o.level, clusterPool, searchers, c.Name(victim), before, loadAverage())
	l.print(os.Stdout, killed, broughtBack)
	if restarted != nil {
		return restarted
	}
	wanted := map[string]engine.Document{}
	for _, d := range append(slices.Clone(o.corpus.Docs), l.acknowledged...) {
		wanted[d.ID] = d
	}
	head(os.Stdout, "read back from", "documents", fmt.Sprintf("of %d acknowledged: missing", len(wanted)), "different", "written though not acknowledged", "everything is there after, s")
	ended := time.Now()
	lost := 0
	for i := range 1 + clusterNodes {
		name, nodes := "all nodes", []int(nil)
		if i > 0 {
			name, nodes = c.Name(i-1)+" alone", []int{i - 1}
		}
		b, err := readBack(ctx, place(nodes...), wanted)
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
	store, err := stores.Open(ctx, place, engine.Options{})
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
	for page := (engine.Page{Limit: 1000, Parts: engine.AllParts}); ; {
		docs, mark, err := store.List(ctx, page)
		if err != nil {
			return b, err
		}
		if len(docs) == 0 {
			break
		}
		page.After = mark
		for _, d := range docs {
			if there[d.ID] {
				continue
			}
			there[d.ID] = true
			b.documents++
			switch w, ok := wanted[d.ID]; {
			case !ok:
				b.more++
			case w.Text != d.Text || w.Title != d.Title || !slices.EqualFunc(w.Vector, d.Vector, nearly):
				b.different++
			}
		}
	}
	b.missing = len(wanted) - (b.documents - b.more)
	return b, nil
}

// nearly compares components of vectors, which are brought to length 1 when they are
// stored.
func nearly(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }
