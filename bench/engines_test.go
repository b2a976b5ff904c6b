//go:build linux

package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/internal/testserver/postgrestest"
)

// demoSource is the corpus that is always there.
func demoSource(t *testing.T) corpusSource { return corpusSource{Cache: t.TempDir()} }

func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes texts")
	}
	source := demoSource(t)
	const n = 40
	c, err := source.read(context.Background(), n, 12)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, d := range c.Docs {
		if seen[d.ID] || len(d.Vector) != dimension || d.Text == "" {
			t.Fatalf("%+v", d)
		}
		seen[d.ID] = true
	}
	templates := map[int]int{} // by how many terms they have
	for _, q := range c.Questions {
		templates[q.Formula.Terms.Len()]++
	}
	if len(c.Docs) != n || len(c.Questions) != 12 || len(templates) < 2 || c.Encoder.Identity().Dimension != dimension {
		t.Errorf("%d documents, %d formulas, %v", len(c.Docs), len(c.Questions), templates)
	}
}

// Copies fill up what texts there are not.
func TestCorpusCopies(t *testing.T) {
	c := &corpus{Docs: documents(5, 16)}
	c.copy(12)
	seen := map[string]bool{}
	for _, d := range c.Docs {
		seen[d.ID] = true
	}
	if len(c.Docs) != 17 || len(seen) != 17 || slices.Equal(c.Docs[0].Vector, c.Docs[5].Vector) {
		t.Errorf("%d documents, %d ids", len(c.Docs), len(seen))
	}
}

func TestCheckBeds(t *testing.T) {
	if err := checkBeds(bedNames); err != nil {
		t.Error(err)
	}
	if err := checkBeds([]string{"embedded", "oracle"}); err == nil || !strings.Contains(err.Error(), "oracle") {
		t.Error(err)
	}
}

// The comparison on real servers, with so few documents that a pool has all of them.
func TestEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	postgrestest.Find(t)
	ctx := context.Background()
	c := &comparing{source: demoSource(t), documents: 300, queries: 6, rounds: 1}
	names := []string{"embedded", "postgres"}
	found, err := c.run(ctx, &beds{Dir: t.TempDir(), Root: ".."}, names)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(names) {
		t.Fatalf("%d engines", len(found))
	}
	for i, e := range found {
		wanted := 3
		if e.Engine == "embedded" {
			wanted = 4 // exact as well
		}
		if e.Engine != names[i] || e.Documents != 300 || e.LoadS <= 0 || e.Memory <= 0 || len(e.Modes) != wanted {
			t.Errorf("%+v", e)
		}
		for _, m := range e.Modes {
			s := m.Steps
			if m.Searches != 6 || s.All.P50 <= 0 || s.Encode.P50 <= 0 || s.Engine.P50 <= 0 || s.Read.P50 <= 0 || s.All.P50 > s.All.P95 {
				t.Errorf("%s, %s: %+v", e.Engine, m.Mode, m)
			}
			if m.Mode != "sqo" && min(m.Overlap10, m.Overlap100) < 0.99 || m.Same100 < 0.99 {
				t.Errorf("%s, %s: overlaps %g, %g, %g", e.Engine, m.Mode, m.Overlap10, m.Overlap100, m.Same100)
			}
		}
	}
	var out bytes.Buffer
	printEngines(&out, found)
	for _, want := range []string{"| the embedded collection, 300 | exact | 1.000, 1.000 |", "| PostgreSQL, 300 | hybrid |", "| in one statement |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}
