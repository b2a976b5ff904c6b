//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/cache"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// corpus holds the documents and queries for engines.
type corpus struct {
	Words     string // description
	Encoder   encoder.Encoder
	Docs      []engine.Document    // with one vector each
	Questions []*retrieve.Question // equally many of each template
}

// corpusSource names the folders of a corpus and of its cached vectors.
type corpusSource struct {
	Shared string // the development data; if it is missing, the demo is used
	Cache  string // cached vectors
}

// developmentData is the source for the figures in the documentation.
var developmentData = corpusSource{Shared: "../shared/data", Cache: ".cache/bench-vectors"}

// read makes a corpus of n documents: the passages of films and captions of pictures and, if
// these are too few, copies with noise in their vectors. Queries are development queries.
func (s corpusSource) read(ctx context.Context, n, queries int) (*corpus, error) {
	if n < 1 {
		return nil, fmt.Errorf("got %d documents, want at least 1", n)
	}
	model, err := builtin.New()
	if err != nil {
		return nil, err
	}
	docs, formulas, err := s.texts(n)
	if err != nil {
		return nil, err
	}
	c := &corpus{Encoder: model, Docs: docs}
	if c.Questions, err = someOfEach(formulas, queries); err != nil {
		return nil, err
	}
	remembering := cache.Open(ctx, c.Encoder, s.Cache, cache.Options{MaxBytes: 4 << 30, OnTrouble: func(err error) { fmt.Fprintln(os.Stderr, "bench:", err) }})
	defer remembering.Close()                      //nolint:errcheck // it is a cache
	for part := range slices.Chunk(c.Docs, 1000) { // an interrupted run has cached some of them
		strings := make([]string, len(part))
		for i, d := range part {
			strings[i] = d.Text
		}
		encoded, err := remembering.Encode(ctx, encoder.Document, strings)
		if err != nil {
			return nil, err
		}
		for i := range part {
			part[i].Vector = encoded.Vectors[i]
		}
	}
	c.Words = fmt.Sprintf("%d documents, each with the vector that %s gives its text", len(docs), model.Identity().Name)
	if copies := n - len(docs); copies > 0 {
		c.Words += fmt.Sprintf(", and %d copies of them with noise in their vectors", copies)
		c.copy(copies)
	}
	return c, nil
}

// copy adds noisy copies of documents.
func (c *corpus) copy(n int) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		d := c.Docs[i]
		d.ID = fmt.Sprintf("%s copy %d", d.ID, i)
		d.Vector = noisy(d.Vector, random)
		if vec.Normalize(d.Vector) != nil {
			d.Vector = c.Docs[i].Vector
		}
		c.Docs = append(c.Docs, d)
	}
}

// noisy returns a vector near v.
func noisy(v []float32, random *rand.Rand) []float32 {
	out := slices.Clone(v)
	for i := range out {
		out[i] += 0.02 * float32(random.NormFloat64())
	}
	return out
}

// formula is a query of a template.
type formula struct{ template, text string }

// texts returns up to n documents without vectors, and queries for them.
func (s corpusSource) texts(n int) (docs []engine.Document, formulas []formula, err error) {
	seen := map[string]bool{} // equal texts would tie, and engines order ties differently
	add := func(id, title string, passages []string) {
		for i, p := range passages {
			if p = strings.TrimSpace(p); p != "" && !seen[p] && len(docs) < n {
				seen[p] = true
				docs = append(docs, engine.Document{ID: fmt.Sprintf("%s %d", id, i), Title: title, Text: p})
			}
		}
	}
	if _, err := os.Stat(filepath.Join(s.Shared, "films")); err != nil {
		texts, err := demo.Documents()
		if err != nil {
			return nil, nil, err
		}
		for _, d := range texts {
			add(d.ID, d.Title, d.Passages)
		}
		queries, err := demo.Queries()
		for _, q := range queries {
			formulas = append(formulas, formula{q.Template, q.Formula})
		}
		return docs, formulas, err
	}
	for _, name := range []string{"films", "coco"} {
		set, err := sets.OpenLogic(filepath.Join(s.Shared, name), "dev")
		if err != nil {
			return nil, nil, err
		}
		for d, err := range set.Documents {
			if err != nil {
				return nil, nil, err
			}
			if len(docs) == n {
				break
			}
			add(d.ID, d.Title, d.Passages)
		}
		if name == "films" {
			for _, q := range set.Queries {
				formulas = append(formulas, formula{q.Template, q.Formula})
			}
		}
	}
	return docs, formulas, nil
}

// someOfEach returns about n formulas, equally many of each template and evenly spaced.
func someOfEach(all []formula, n int) ([]*retrieve.Question, error) {
	byTemplate := map[string][]string{}
	var templates []string
	for _, f := range all {
		if byTemplate[f.template] == nil {
			templates = append(templates, f.template)
		}
		byTemplate[f.template] = append(byTemplate[f.template], f.text)
	}
	var out []*retrieve.Question
	for _, t := range templates {
		texts := byTemplate[t]
		each := min(len(texts), max(1, n/len(templates)))
		for i := range each {
			f, err := query.ParseFormula(texts[i*len(texts)/each])
			if err != nil {
				return nil, err
			}
			out = append(out, retrieve.Ask(f))
		}
	}
	return out, nil
}
