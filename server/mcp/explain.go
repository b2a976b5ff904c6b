package mcp

import (
	"context"
	"errors"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/retrieve"
)

const explainDescription = `Explain the score and rank of a document for a query, even if search does not return it: its similarity to each part, the contribution of each part, and the words found or denied. For results that are missing or rank too high.`

type explainArgs struct {
	Collection string `json:"collection,omitempty"`
	Query      string `json:"query" jsonschema:"as in search"`
	NL         string `json:"nl,omitempty"`
	ID         string `json:"id" jsonschema:"of the document"`
}

type explainAnswer struct {
	Collection   string        `json:"collection"`
	Understood   []string      `json:"understood,omitempty"`
	Degraded     []string      `json:"degraded,omitempty"`
	Formula      string        `json:"formula"`
	ID           string        `json:"id"`
	Title        string        `json:"title,omitempty"`
	Rank         int           `json:"rank" jsonschema:"among all documents that match the filter"`
	Ranked       int           `json:"ranked" jsonschema:"number of those documents"`
	PlainRank    int           `json:"plain_rank" jsonschema:"in plain vector search"`
	Score        float64       `json:"score"`
	Snippet      string        `json:"snippet,omitempty"`
	Place        *place        `json:"place,omitempty"`
	Similarities []logic.Named `json:"similarities" jsonschema:"to the parts of the formula and to their fusions"`
	Words        *wordsPart    `json:"words,omitempty" jsonschema:"lexical part of the score"`
	Parts        []part        `json:"parts" jsonschema:"how each score was computed: the whole formula, then its parts"`
}

type part struct {
	Formula  string  `json:"formula"`
	Rule     string  `json:"rule"`
	Score    float64 `json:"score"`
	Sentence string  `json:"sentence"`
}

func (t *tools) addExplain(s *sdk.Server) {
	def := define[explainArgs, explainAnswer]("explain", "Explain a document's score", explainDescription, `{"query": "dog AND NOT leash", "id": "photo-12"}`, looks, func(in map[string]*jsonschema.Schema) { ways(in["nl"]) })
	tool(t, s, def, t.options.Limits.SearchTime, t.explain)
}

func (t *tools) explain(ctx context.Context, in explainArgs) (out explainAnswer, err error) {
	q, err := question(ctx, in.Query, in.NL)
	if err != nil {
		return out, err
	}
	c, name, release, err := t.use(ctx, in.Collection, false)
	if err != nil {
		return out, err
	}
	defer release(&err)
	r, err := why(ctx, c.Collection, q, in.ID)
	if err != nil {
		return out, err
	}
	h := &r.Hits[0]
	out = explainAnswer{
		Collection: name, Understood: q.Understood, Formula: r.Formula, ID: h.ID, Title: clip(h.Title, titleBytes), Rank: h.Rank, Ranked: r.Ranked, Degraded: r.Degraded,
		PlainRank: h.PlainRank, Score: round(h.Score), Snippet: clip(h.Snippet.Text, snippetBytes), Place: placeOf(h, &h.Snippet),
		Similarities: slices.Clone(h.Similarities), Parts: []part{},
	}
	for i, s := range out.Similarities {
		out.Similarities[i].Value = round(s.Value)
	}
	out.add(h.Explanation)
	out.Words = wordsOf(h)
	return out, nil
}

// add appends an explanation and its parts.
func (a *explainAnswer) add(x *logic.Explanation) {
	a.Parts = append(a.Parts, part{x.Formula, x.Rule, round(x.Score), x.Sentence})
	for _, inner := range x.Parts {
		a.add(inner)
	}
}

// why ranks all documents and explains one of them.
func why(ctx context.Context, c *nsfl.Collection, q *retrieve.Question, id string) (*retrieve.Result, error) {
	size, err := c.Store().Size(ctx)
	if err != nil {
		return nil, err
	}
	all := min(max(1, size.Documents), retrieve.MaxCandidates)
	r, err := c.Searcher().Why(ctx, q, retrieve.Options{K: 1, Compare: true, Research: retrieve.Research{Candidates: all}}, id)
	var filtered *retrieve.FilteredError
	if !errors.As(err, &filtered) {
		return r, err
	}
	d, err := c.Store().Get(ctx, id, engine.Metadata)
	if err != nil {
		return nil, err
	}
	return nil, advise("document %q does not match %s, so no search with that condition finds it. Its metadata is %s", id, q.Formula.Filter, clip(string(d.Metadata), metadataBytes))
}
