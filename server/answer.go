package server

import (
	"context"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Answer is the response to a search: the library's result plus fields for HTTP clients.
type Answer struct {
	*retrieve.Result
	Hits    []Hit        `json:"hits,omitempty" nullable:"false" required:"true"`
	Columns *Columns     `json:"columns,omitempty"`
	Timings Milliseconds `json:"timings_ms"`
}

func (a *Answer) list() (rest any, name string, length int) {
	alone := *a
	alone.Hits = nil
	return &alone, "hits", len(a.Hits)
}

func (a *Answer) item(i int) any { return &a.Hits[i] }

// Hit is a search result.
type Hit struct {
	retrieve.Hit
	Metadata Metadata           `json:"metadata,omitzero"`
	Scores   map[string]float64 `json:"scores" doc:"similarities to the atoms, by atom as the language prints it"`
}

// Columns are the similarities of candidates to all terms, best candidates first.
type Columns struct {
	Formulas []string    `json:"formulas" nullable:"false" doc:"the terms"`
	Strings  []string    `json:"strings" nullable:"false" doc:"the string encoded for each term; empty if the term is a sum of vectors"`
	IDs      []string    `json:"ids" nullable:"false"`
	Titles   []string    `json:"titles" nullable:"false"`
	Scores   []float32   `json:"scores" nullable:"false"`
	Words    []float32   `json:"words,omitempty" doc:"what words added to each score; omitted if they do not count"`
	Values   [][]float32 `json:"values" nullable:"false" doc:"for each term, the similarities of the documents"`
}

// Milliseconds are the durations of the stages of a search.
type Milliseconds struct{ retrieve.Timings }

// Schema returns the schema of the JSON that Timings writes.
func (Milliseconds) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}, AdditionalProperties: false}
	for _, stage := range []string{"encode", "find", "rank", "compare", "read", "explain", "total"} {
		s.Properties[stage] = &huma.Schema{Type: huma.TypeNumber}
		s.Required = append(s.Required, stage)
	}
	return s
}

// newAnswer turns a result into an answer. It counts degraded results.
func (s *Server) newAnswer(f *query.Formula, r *retrieve.Result) *Answer {
	if len(r.Degraded) > 0 {
		s.metrics.degraded.Inc()
	}
	a := &Answer{Result: r, Hits: make([]Hit, len(r.Hits)), Timings: Milliseconds{r.Timings}}
	if r.Strings == nil {
		r.Strings = []string{}
	}
	atoms := map[string]bool{}
	for i := range f.Terms.Atoms() {
		atoms[f.Terms.Name(i)] = true
	}
	for i, h := range r.Hits {
		out := Hit{Hit: h, Metadata: Metadata{h.Metadata}, Scores: map[string]float64{}}
		for _, s := range h.Similarities {
			if atoms[s.Formula] {
				out.Scores[s.Formula] = s.Value
			}
		}
		a.Hits[i] = out
	}
	return a
}

// Limits on the candidates in Columns, and on their titles in bytes.
const (
	maxColumns     = 2000
	maxColumnTitle = 200
	numberBytes    = 12 // in JSON
)

// columnsOf returns the similarities of the best candidates to the terms they were compared
// with, as many as fit into about bytes bytes.
func columnsOf(ctx context.Context, store engine.Store, c *retrieve.Candidates, bytes int64) (*Columns, error) {
	line := maxColumnTitle + engine.MaxIDBytes/4 + numberBytes*(2+len(c.Terms))
	ranking, err := c.Rank(max(1, min(maxColumns, int(bytes)/line)))
	if err != nil {
		return nil, err
	}
	lines := ranking.Lines
	refs := make([]engine.Ref, len(lines))
	for i, line := range lines {
		refs[i] = c.Refs[line]
	}
	out := &Columns{Formulas: []string{}, Strings: []string{}, IDs: []string{}, Titles: []string{}, Scores: []float32{}, Values: [][]float32{}}
	var kept []int
	err = engine.Visit(ctx, store, refs, engine.Titles, func(i int, d *engine.Document) {
		if d.ID == "" { // deleted meanwhile
			return
		}
		kept = append(kept, lines[i])
		title := d.Title
		if len(title) > maxColumnTitle {
			title = strings.ToValidUTF8(title[:maxColumnTitle], "") + "…"
		}
		out.IDs, out.Titles, out.Scores = append(out.IDs, d.ID), append(out.Titles, title), append(out.Scores, ranking.Scores[i])
	})
	if err != nil {
		return nil, err
	}
	out.Words = wordsOf(c, kept)
	for t := range c.Terms {
		if !c.Reads(t) {
			continue
		}
		values := make([]float32, len(kept))
		for i, line := range kept {
			values[i] = c.Terms[t][line]
		}
		out.Formulas = append(out.Formulas, c.Formula.Terms.Name(t))
		out.Strings = append(out.Strings, c.Plan.StringOf(t))
		out.Values = append(out.Values, values)
	}
	return out, nil
}

// wordsOf returns the lexical part of the candidates' scores, which a chart of their
// similarities does not show.
func wordsOf(c *retrieve.Candidates, lines []int) []float32 {
	weight := c.Options.Logic.Words
	if weight == 0 {
		return nil
	}
	shares := make([][]float32, len(c.Shares))
	for i, column := range c.Shares {
		for _, line := range lines {
			shares[i] = append(shares[i], column[line])
		}
	}
	out := make([]float32, len(lines))
	logic.NewLexicalScore(c.Formula, c.Formula.Root).Of(out, shares)
	for i := range out {
		out[i] *= float32(weight)
	}
	return out
}
