package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

const explainDescription = `Say how one document comes to its score and rank by a formula, also where it is not among the results of search: its similarity to every part of the formula, what each part added or took away, in sentences, and which words were found or are said to be absent. Use it to find out why a document is missing or ranks too high, then change the formula.`

type explainArgs struct {
	Collection string `json:"collection,omitempty" jsonschema:"its name; may be left out where there is only one"`
	Formula    string `json:"formula" jsonschema:"as for search"`
	ID         string `json:"id" jsonschema:"of the document, as search returns it"`
}

type explainAnswer struct {
	Collection   string       `json:"collection"`
	Formula      string       `json:"formula" jsonschema:"as it was understood"`
	ID           string       `json:"id"`
	Title        string       `json:"title,omitempty"`
	Rank         int          `json:"rank" jsonschema:"among all documents that pass the conditions"`
	Ranked       int          `json:"ranked" jsonschema:"how many those are"`
	PlainRank    int          `json:"plain_rank" jsonschema:"in plain vector search"`
	Score        float64      `json:"score"`
	Snippet      string       `json:"snippet,omitempty" jsonschema:"the passage that matches best"`
	Place        *place       `json:"place,omitempty" jsonschema:"where that stands"`
	Similarities []similarity `json:"similarities" jsonschema:"to the parts of the formula, and to parts together"`
	Words        *wordsPart   `json:"words,omitempty" jsonschema:"what words added to the score of vectors, where they count"`
	Degraded     []string     `json:"degraded,omitempty" jsonschema:"which part of the collection could not be asked"`
	Parts        []part       `json:"parts" jsonschema:"how each score came about: the whole formula first, then the formulas inside it"`
}

type similarity struct {
	Formula string  `json:"formula"`
	Value   float64 `json:"value"`
}

type part struct {
	Formula  string  `json:"formula"`
	Rule     string  `json:"rule"`
	Score    float64 `json:"score"`
	Sentence string  `json:"sentence"`
}

func (t *tools) addExplain(s *sdk.Server) {
	def := define[explainArgs, explainAnswer]("explain", "Explain a document's score", explainDescription, looks, nil)
	tool(t, s, def, t.options.Limits.SearchTime, t.explain)
}

func (t *tools) explain(ctx context.Context, in explainArgs) (out explainAnswer, text string, err error) {
	f, _, err := question(ctx, in.Formula)
	if err != nil {
		return out, "", err
	}
	c, name, release, err := t.use(ctx, in.Collection, false)
	if err != nil {
		return out, "", err
	}
	defer release()
	r, err := why(ctx, c.Collection, f, in.ID)
	if err != nil {
		return out, "", err
	}
	h := &r.Hits[0]
	out = explainAnswer{
		Collection: name, Formula: f.Root.String(), ID: h.ID, Title: clip(h.Title, titleBytes), Rank: h.Rank, Ranked: r.Ranked, Degraded: r.Degraded,
		PlainRank: h.PlainRank, Score: round(h.Score), Snippet: clip(h.Snippet.Text, snippetBytes), Place: placeOf(h, &h.Snippet),
		Similarities: []similarity{}, Parts: []part{},
	}
	for _, s := range h.Similarities {
		out.Similarities = append(out.Similarities, similarity{s.Formula, round(s.Value)})
	}
	out.add(h.Explanation)
	out.Words = wordsOf(h)
	return out, out.text(), nil
}

// add lists an explanation and those inside it.
func (a *explainAnswer) add(x *logic.Explanation) {
	a.Parts = append(a.Parts, part{x.Formula, x.Rule, round(x.Score), x.Sentence})
	for _, inner := range x.Parts {
		a.add(inner)
	}
}

// why ranks all documents and explains one of them.
func why(ctx context.Context, c *nsfl.Collection, f *query.Formula, id string) (*retrieve.Result, error) {
	size, err := c.Store().Size(ctx)
	if err != nil {
		return nil, err
	}
	all := min(max(1, size.Documents), retrieve.MaxCandidates)
	r, err := c.Searcher().Why(ctx, retrieve.Ask(f), retrieve.Options{K: 1, Compare: true, Research: retrieve.Research{Candidates: all}}, id)
	var filtered *retrieve.FilteredError
	if !errors.As(err, &filtered) {
		return r, err
	}
	d, err := c.Store().Get(ctx, id, engine.Metadata)
	if err != nil {
		return nil, err
	}
	return nil, advise("document %q does not pass %s, so no search with it finds the document. Its metadata are %s", id, f.Filter, clip(string(d.Metadata), metadataBytes))
}

func (a *explainAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", a.ID)
	if a.Title != "" {
		fmt.Fprintf(&b, " (%s)", a.Title)
	}
	fmt.Fprintf(&b, " scores %.3f by %s: rank %d of %d in %s; plain vector search has it at %d\n", a.Score, a.Formula, a.Rank, a.Ranked, a.Collection, a.PlainRank)
	incomplete(&b, a.Degraded)
	for _, p := range a.Parts {
		fmt.Fprintf(&b, "- %s: %.3f. %s\n", p.Formula, p.Score, p.Sentence)
	}
	if a.Words != nil {
		a.Words.write(&b)
	}
	b.WriteString("similarities:")
	for _, s := range a.Similarities {
		fmt.Fprintf(&b, " [%s] %.3f", s.Formula, s.Value)
	}
	fmt.Fprintf(&b, "\nbest passage: %s\n", a.Snippet)
	a.Place.write(&b)
	return b.String()
}
