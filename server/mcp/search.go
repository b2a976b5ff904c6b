package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/retrieve"
)

const searchDescription = `Rank the documents of a collection by a query, best first, by meaning and by words. Unlike in plain vector search AND, OR and NOT count. The language, operators in CAPITALS:
` + card + `
A few short atoms work best, of what documents say: sea AND kind:film, not films about the sea. Compare scores within one answer only, probabilities across answers.`

type searchArgs struct {
	Collection     string   `json:"collection,omitempty" jsonschema:"needed where there are several"`
	Query          string   `json:"query"`
	NL             string   `json:"nl,omitempty" jsonschema:"whether query is plain English: auto, where it has no operators and surely is; rules, always; off, never"`
	K              int      `json:"k,omitempty"`
	Offset         int      `json:"offset,omitempty" jsonschema:"of the first result; an answer names the next"`
	Mode           string   `json:"mode,omitempty" jsonschema:"auto is right nearly always; baseline is plain vector search"`
	Detail         string   `json:"detail,omitempty" jsonschema:"low: titles; normal: snippets; high: long snippets, metadata and why"`
	MinProbability float64  `json:"min_probability,omitempty" jsonschema:"of being relevant; leaves out what has less"`
	All            bool     `json:"all,omitempty" jsonschema:"also unlikely"`
	AllCopies      bool     `json:"all_copies,omitempty" jsonschema:"list copies of a document one by one"`
	Fields         []string `json:"fields,omitempty" jsonschema:"of the metadata, to be shown with results"`
	Facets         []string `json:"facets,omitempty" jsonschema:"fields whose values to count"`
	Compare        bool     `json:"compare,omitempty" jsonschema:"show similarities to the atoms, and ranks in plain vector search"`
}

type searchAnswer struct {
	Collection string   `json:"collection"`
	Understood []string `json:"understood,omitempty" jsonschema:"of plain language: the formula, then notes"`
	DidYouMean string   `json:"did_you_mean,omitempty" jsonschema:"query, respelled"`
	Formula    string   `json:"formula" jsonschema:"the normal form"`
	Filter     string   `json:"filter,omitempty" jsonschema:"the hard conditions"`
	Mode       string   `json:"mode"`
	Documents  int      `json:"documents" jsonschema:"in the collection"`
	Ranked     int      `json:"ranked" jsonschema:"of which so many were candidates"`
	Proof      string   `json:"proof,omitempty" jsonschema:"how far the results are the best of all documents"`
	Next       int      `json:"next,omitempty" jsonschema:"offset of the results after these"`
	LeftOut    int      `json:"left_out,omitempty" jsonschema:"unlikely to match, not shown"`
	Hits       []hit    `json:"hits"`
	Facets     []facet  `json:"facets,omitempty"`
	Notes      []string `json:"notes,omitempty" jsonschema:"what may not be as it was meant"`
	Degraded   []string `json:"degraded,omitempty" jsonschema:"what could not be asked, so that results may be missing"`
}

func (t *tools) addSearch(s *sdk.Server) {
	most := t.options.Limits.Results
	def := define[searchArgs, searchAnswer]("search", "Search by a query", searchDescription, `{"query": "dog AND NOT leash AND year:>=2015", "k": 5}`, looks, func(in map[string]*jsonschema.Schema) {
		ways(in["nl"])
		between(in["k"], 1, most, min(10, most))
		between(in["offset"], 0, most-1, 0)
		oneOf(in["mode"], modes...)
		oneOf(in["detail"], "normal", "low", "high")
		between(in["min_probability"], 0, 1, 0)
	})
	tool(t, s, def, t.options.Limits.SearchTime, t.search)
}

// modes are those of use to who wants results; the others are there to be studied.
var modes = []string{retrieve.Auto.String(), retrieve.Exact.String(), retrieve.Hybrid.String(), retrieve.Rerank.String(), retrieve.Baseline.String()}

func (t *tools) search(ctx context.Context, in searchArgs) (out searchAnswer, text string, err error) {
	q, err := question(ctx, in.Query, in.NL)
	if err != nil {
		return out, "", err
	}
	o := retrieve.Options{K: in.K, Offset: in.Offset, MinProbability: in.MinProbability, All: in.All, Explain: in.Detail == "high", Compare: in.Compare, AllCopies: in.AllCopies, Fields: in.Fields, Facets: wishes(in.Facets), Bytes: int(t.options.Limits.Bytes)}
	if most := t.options.Limits.Results; in.Offset+in.K > most {
		return out, "", advise("%d results after the first %d are asked for; up to the %dth are possible: write a narrower query", in.K, in.Offset, most)
	}
	if o.Mode, err = retrieve.ParseMode(in.Mode); err != nil {
		return out, "", advise("%v", err)
	}
	c, name, release, err := t.use(ctx, in.Collection, false)
	if err != nil {
		return out, "", err
	}
	defer release()
	r, err := c.Searcher().Search(ctx, q, o)
	if err != nil {
		return out, "", err
	}
	out = searchAnswer{
		Collection: name, Formula: r.Formula, Filter: r.Filter, Mode: r.Mode.String(),
		Documents: r.Documents, Ranked: r.Ranked, LeftOut: r.LeftOut, Next: r.Next, Facets: facets(r.Facets), Hits: make([]hit, len(r.Hits)),
		Notes: r.Notes, Degraded: r.Degraded, Understood: r.Understood, DidYouMean: r.DidYouMean,
	}
	if r.Proof != nil {
		out.Proof = r.Proof.Says
	}
	for i := range r.Hits {
		out.Hits[i] = shown(&r.Hits[i], q.Formula, in)
	}
	if len(out.Hits) == 0 && r.LeftOut == 0 && r.Filter != "" && r.Documents > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("no document passes %s; list_collections has fields and values, a range is year:>=1990 AND year:<2000, several values are (lang:en OR lang:de)", r.Filter))
	}
	for _, cut := range r.Cut {
		out.Notes = append(out.Notes, fmt.Sprintf("the encoder did not read the end of %q; use shorter atoms", clip(cut, 60)))
	}
	return out, out.text(), nil
}

// text is the answer for a model.
func (a *searchAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s for %s", count(len(a.Hits), "result"), a.Collection, a.Formula)
	if a.Filter != "" {
		fmt.Fprintf(&b, ", only where %s", a.Filter)
	}
	fmt.Fprintf(&b, " (%s, mode %s)\n", count(a.Documents, "document"), a.Mode)
	understood(&b, a.Understood)
	incomplete(&b, a.Degraded)
	if a.DidYouMean != "" {
		fmt.Fprintf(&b, "did you mean: %s\n", a.DidYouMean)
	}
	for _, note := range a.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for i := range a.Facets {
		a.Facets[i].write(&b)
	}
	for i := range a.Hits {
		a.Hits[i].write(&b)
	}
	if a.Next > 0 {
		fmt.Fprintf(&b, "more with offset %d\n", a.Next)
	}
	return b.String()
}
