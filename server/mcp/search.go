package mcp

import (
	"context"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// card describes the query language to a model, one example per line. It is part of the
// description of search, because not all clients show a model the instructions of a server.
const card = `golden retriever # adjacent words are one atom
dog AND ball
dog OR cat
dog AND NOT leash # NOT binds tightest, then AND, then OR
(beach OR lake) AND sunset
"salt AND pepper" AND NOT "part (2)" # quote what has ( ) , : ^ or an operator in it
2 OF (wind, solar, hydro) # at least two
dog^2 AND ball # dog weighs twice as much
dog AND year:>=2015 AND year:<2020 # field:value, < <= > >= filter by metadata; list_collections has the fields
dog AND (lang:en OR lang:de) AND NOT genre:"film noir" # OR joins conditions with conditions only
dog AND NOT text:"tennis ball" # text: filters by words; NOT ball without it only ranks lower
dog AND train* NEAR/5 guide AND title:(pup) # exact words
like:ID AND NOT example:"some text" # similar to a stored document; similar to a text`

const searchDescription = `Rank the documents of a collection by a query, best first, by meaning and by words. Unlike in plain vector search, AND, OR and NOT count. The language, operators in CAPITALS:
` + card + `
A few short atoms work best, in the words of the documents: sea AND kind:film, not films about the sea. Compare scores only within one result list, probabilities across lists.`

type searchArgs struct {
	Collection     string   `json:"collection,omitempty" jsonschema:"required if there are several"`
	Query          string   `json:"query"`
	NL             string   `json:"nl,omitempty" jsonschema:"parse query as plain English: auto, if it has no operators and a rule clearly applies; rules, always; off, never"`
	K              int      `json:"k,omitempty"`
	Offset         int      `json:"offset,omitempty" jsonschema:"skip this many results; next has the offset of the next page"`
	Mode           string   `json:"mode,omitempty" jsonschema:"auto is almost always right; baseline is plain vector search"`
	Detail         string   `json:"detail,omitempty" jsonschema:"low: titles; normal: snippets; high: long snippets, metadata and why"`
	MinProbability float64  `json:"min_probability,omitempty" jsonschema:"hide results below this match probability"`
	All            bool     `json:"all,omitempty" jsonschema:"also unlikely results"`
	AllCopies      bool     `json:"all_copies,omitempty" jsonschema:"list copies of a document as separate results"`
	Fields         []string `json:"fields,omitempty" jsonschema:"metadata fields to return"`
	Facets         []string `json:"facets,omitempty" jsonschema:"fields whose values to count"`
	Compare        bool     `json:"compare,omitempty" jsonschema:"show similarities to the atoms, and ranks in plain vector search"`
}

type searchAnswer struct {
	Collection string              `json:"collection"`
	Understood []string            `json:"understood,omitempty" jsonschema:"if parsed as plain language: the formula, then notes"`
	DidYouMean string              `json:"did_you_mean,omitempty" jsonschema:"the query with another spelling"`
	Notes      []string            `json:"notes,omitempty" jsonschema:"remarks on the query and the results"`
	Degraded   []string            `json:"degraded,omitempty" jsonschema:"parts of the store that did not answer; results may be missing"`
	Formula    string              `json:"formula" jsonschema:"the normal form"`
	Filter     string              `json:"filter,omitempty" jsonschema:"conditions on metadata and words"`
	Mode       string              `json:"mode"`
	Documents  int                 `json:"documents" jsonschema:"in the collection"`
	Ranked     int                 `json:"ranked" jsonschema:"number of candidates"`
	Proof      string              `json:"proof,omitempty" jsonschema:"how many results are proven to be the best of all documents"`
	Next       int                 `json:"next,omitempty" jsonschema:"offset of the next page"`
	LeftOut    int                 `json:"left_out,omitempty" jsonschema:"unlikely results that are not shown"`
	Hits       []hit               `json:"hits"`
	Facets     []*fieldstats.Facet `json:"facets,omitempty" jsonschema:"counts of values: of documents that match the filter, and of the first 100 results (found)"`
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

// modes are the useful ones; the others are for studies.
var modes = []string{retrieve.Auto.String(), retrieve.Exact.String(), retrieve.Hybrid.String(), retrieve.Rerank.String(), retrieve.Baseline.String()}

func (t *tools) search(ctx context.Context, in searchArgs) (out searchAnswer, err error) {
	q, err := question(ctx, in.Query, in.NL)
	if err != nil {
		return out, err
	}
	o := retrieve.Options{K: in.K, Offset: in.Offset, MinProbability: in.MinProbability, All: in.All, Explain: in.Detail == "high", Compare: in.Compare, AllCopies: in.AllCopies, Fields: in.Fields, Bytes: int(t.options.Limits.Bytes)}
	for _, name := range in.Facets {
		o.Facets = append(o.Facets, fieldstats.FacetRequest{Field: name})
	}
	if most := t.options.Limits.Results; in.Offset+in.K > most {
		return out, advise("%d results after the first %d were requested; only the first %d can be read: write a narrower query", in.K, in.Offset, most)
	}
	if o.Mode, err = retrieve.ParseMode(in.Mode); err != nil {
		return out, advise("%v", err)
	}
	c, name, release, err := t.use(ctx, in.Collection, false)
	if err != nil {
		return out, err
	}
	defer release(&err)
	r, err := c.Searcher().Search(ctx, q, o)
	if err != nil {
		return out, err
	}
	out = searchAnswer{
		Collection: name, Formula: r.Formula, Filter: r.Filter, Mode: r.Mode.String(),
		Documents: r.Documents, Ranked: r.Ranked, LeftOut: r.LeftOut, Next: r.Next, Facets: r.Facets, Hits: make([]hit, len(r.Hits)),
		Notes: r.Notes, Degraded: r.Degraded, Understood: r.Understood, DidYouMean: r.DidYouMean,
	}
	if r.Proof != nil {
		out.Proof = r.Proof.Says
	}
	for i := range r.Hits {
		out.Hits[i] = shown(&r.Hits[i], q.Formula, in)
	}
	if len(out.Hits) == 0 && r.LeftOut == 0 && r.Filter != "" && r.Documents > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("no document matches %s; list_collections has fields and values, a range is year:>=1990 AND year:<2000, several values are (lang:en OR lang:de)", r.Filter))
	}
	for _, cut := range r.Cut {
		out.Notes = append(out.Notes, fmt.Sprintf("the encoder did not read the end of %q; use shorter atoms", clip(cut, 60)))
	}
	return out, nil
}

// ways sets how a query can be parsed. The agent is a model itself, so there is no nl llm.
func ways(s *jsonschema.Schema) {
	oneOf(s, nl.Auto.String(), nl.Off.String(), nl.Rules.String())
}

// question parses a query. It rejects pictures, which would be files of the server's machine.
func question(ctx context.Context, text, way string) (*retrieve.Question, error) {
	var o retrieve.Options
	if err := o.PlainLanguage.UnmarshalText([]byte(way)); err != nil {
		return nil, advise("%v", err)
	}
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	for a := range query.Atoms(q.Formula.Root) {
		if a.Kind == query.Image {
			return nil, advise("%s cannot be used here: describe the picture in words, or use like:ID with a document of the collection", a)
		}
	}
	return q, nil
}
