package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/internal/said"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

const searchDescription = `Rank the documents of a collection by a formula, the best first. Meaning counts, and so do words; AND, OR and NOT are honoured, unlike in plain vector search, and what a document says it is without is no match.
The language:
  golden retriever                      words side by side are one atom: a thing, a topic, a sentence
  dog AND ball, dog OR cat              both, either; operators in CAPITALS only
  dog AND NOT leash                     the first without the second
  (beach OR lake) AND sunset            parentheses group; NOT binds tightest, then AND, then OR
  "salt and pepper" AND NOT "part (2)"  quote an atom that holds ( ) : ^ or a capital operator
  2 OF (wind, solar, hydro)             at least two of the three
  dog^2 AND ball                        the dog matters twice as much
  dog AND year:>=2015 AND lang:en       field:value, and < <= > >=, are hard conditions on metadata
  dog AND NOT genre:"film noir"         they only narrow; join them by AND, list_collections shows the fields
  dog AND NOT text:"tennis ball"        text: is a hard condition on words in the text; atoms are soft
  like:ID AND NOT example:"some text"   what is like a stored document, or like a text
A few short atoms work best. Scores compare results of one search, not of two; a probability, where there is one, means the same in all.`

type searchArgs struct {
	Collection     string   `json:"collection,omitempty" jsonschema:"its name; may be left out where there is only one"`
	Formula        string   `json:"formula" jsonschema:"what to look for, in the language above"`
	K              int      `json:"k,omitempty" jsonschema:"how many results"`
	Offset         int      `json:"offset,omitempty" jsonschema:"leave out so many of the first results; next of an answer is where the following ones begin"`
	Mode           string   `json:"mode,omitempty" jsonschema:"auto is right nearly always; exact ranks all documents, rerank and hybrid a pool of candidates, baseline is plain vector search for comparison"`
	Detail         string   `json:"detail,omitempty" jsonschema:"low: titles, or beginnings, only; normal: a short snippet and why; high: a long snippet and the metadata too"`
	MinProbability float64  `json:"min_probability,omitempty" jsonschema:"leave out results that are less probable to be relevant, such as 0.5; works where results have a probability"`
	AllCopies      bool     `json:"all_copies,omitempty" jsonschema:"show copies of a document as results of their own, not named with the best of them"`
	Fields         []string `json:"fields,omitempty" jsonschema:"which fields of the metadata to give with each result, such as year"`
	Facets         []string `json:"facets,omitempty" jsonschema:"fields whose values to count, such as kind: how many documents have each, and how many of the first 100 results"`
	Explain        bool     `json:"explain,omitempty" jsonschema:"also give each result's similarity to every atom and its rank in plain vector search"`
}

type searchAnswer struct {
	Collection string   `json:"collection"`
	Formula    string   `json:"formula" jsonschema:"as it was understood"`
	Filter     string   `json:"filter,omitempty" jsonschema:"the conditions on metadata"`
	Mode       string   `json:"mode" jsonschema:"what was done"`
	Documents  int      `json:"documents" jsonschema:"in the collection"`
	Ranked     int      `json:"ranked" jsonschema:"of which so many were candidates for the results"`
	Proof      string   `json:"proof,omitempty" jsonschema:"how far the results are proven to be the best of all documents"`
	Next       int      `json:"next,omitempty" jsonschema:"the offset of the results after these, where there are any"`
	LeftOut    int      `json:"left_out,omitempty" jsonschema:"of the k best, so many were left out as less probable than min_probability"`
	Hits       []hit    `json:"hits"`
	Facets     []facet  `json:"facets,omitempty" jsonschema:"what documents have of the fields that were asked for"`
	Notes      []string `json:"notes,omitempty" jsonschema:"how the results came about"`
	Degraded   []string `json:"degraded,omitempty" jsonschema:"which part of the collection could not be asked, so that results may be missing"`
	Hints      []string `json:"hints,omitempty" jsonschema:"what may not be as it was meant"`
}

type hit struct {
	Rank         int                `json:"rank"`
	Score        float64            `json:"score"`
	Probability  float64            `json:"probability,omitempty" jsonschema:"of being relevant"`
	ID           string             `json:"id"`
	Title        string             `json:"title,omitempty"`
	Snippet      string             `json:"snippet,omitempty" jsonschema:"the passage that matches best, where one atom is wanted"`
	Place        *place             `json:"place,omitempty" jsonschema:"where the snippet stands"`
	Passages     []passage          `json:"passages,omitempty" jsonschema:"where several atoms are wanted: the passages that have most of each, to check them by"`
	Absent       []string           `json:"said_to_be_absent,omitempty" jsonschema:"atoms that the document says it is without"`
	Copies       []string           `json:"copies,omitempty" jsonschema:"ids of documents further down that say the same, the first of copy_count"`
	CopyCount    int                `json:"copy_count,omitempty"`
	Why          string             `json:"why,omitempty" jsonschema:"how the score came about"`
	Metadata     map[string]any     `json:"metadata,omitempty"`
	Similarities map[string]float64 `json:"similarities,omitempty" jsonschema:"to each atom"`
	PlainRank    int                `json:"plain_rank,omitempty" jsonschema:"in plain vector search"`

	copies string // in words
}

// How much of a document a result shows, in bytes.
const (
	titleBytes    = 200
	lowBytes      = 80 // of the text, in place of a title
	snippetBytes  = 240
	longBytes     = 1200
	whyBytes      = 400
	metadataBytes = 2000 // more is left out
	namedCopies   = 5    // ids
)

func (t *tools) addSearch(s *sdk.Server) {
	most := t.options.Limits.Results
	def := define[searchArgs, searchAnswer]("search", "Search by a formula", searchDescription, looks, func(in map[string]*jsonschema.Schema) {
		between(in["k"], 1, most, min(10, most))
		between(in["offset"], 0, most-1, 0)
		oneOf(in["mode"], retrieve.ModeNames()...)
		oneOf(in["detail"], "normal", "low", "high")
		between(in["min_probability"], 0, 1, 0)
	})
	tool(t, s, def, t.options.Limits.SearchTime, t.search)
}

func (t *tools) search(ctx context.Context, in searchArgs) (out searchAnswer, text string, err error) {
	f, read, err := question(ctx, in.Formula)
	if err != nil {
		return out, "", err
	}
	o := retrieve.Options{K: in.K, Offset: in.Offset, MinProbability: in.MinProbability, Explain: in.Detail != "low", Compare: in.Explain, AllCopies: in.AllCopies, Fields: in.Fields, Facets: wishes(in.Facets), Bytes: int(t.options.Limits.Bytes)}
	if most := t.options.Limits.Results; in.Offset+in.K > most {
		return out, "", advise("%d results after the first %d are asked for; up to the %dth are possible: write a narrower formula", in.K, in.Offset, most)
	}
	if o.Mode, err = retrieve.ParseMode(in.Mode); err != nil {
		return out, "", advise("%v", err)
	}
	c, name, release, err := t.use(ctx, in.Collection, false)
	if err != nil {
		return out, "", err
	}
	defer release()
	q := retrieve.Ask(f)
	q.Understood = read
	r, err := c.Searcher().Search(ctx, q, o)
	if err != nil {
		return out, "", err
	}
	out = searchAnswer{
		Collection: name, Formula: r.Formula, Filter: r.Filter, Mode: r.Mode.String(),
		Documents: r.Documents, Ranked: r.Ranked, LeftOut: r.LeftOut, Next: r.Next, Facets: facets(r.Facets), Hits: make([]hit, len(r.Hits)),
		Notes: r.Notes, Degraded: r.Degraded, Hints: read,
	}
	if r.Proof != nil {
		out.Proof = r.Proof.Says
	}
	for i := range r.Hits {
		out.Hits[i] = shown(&r.Hits[i], f, in)
	}
	if len(out.Hits) == 0 && r.LeftOut == 0 && r.Filter != "" && r.Documents > 0 {
		out.Hints = append(out.Hints, fmt.Sprintf("no document passes %s; list_collections shows the fields and their values", r.Filter))
	}
	for _, cut := range r.Cut {
		out.Hints = append(out.Hints, fmt.Sprintf("the encoder did not read the end of %q; use shorter atoms", clip(cut, 60)))
	}
	return out, out.text(), nil
}

// formula reads what an agent wrote. A picture would be a file of the machine
// that the server runs on, so there are none.
func formula(text string) (*query.Formula, error) {
	f, err := query.ParseFormula(text)
	if err != nil {
		return nil, err
	}
	for a := range query.Atoms(f.Root) {
		if a.Kind == query.Image {
			return nil, advise("%s cannot be used here: describe the picture in words, or use like:ID with a document of the collection", a)
		}
	}
	return f, nil
}

// question is formula, but for a sentence that surely means a formula: that is read as
// one, and said so.
func question(ctx context.Context, text string) (f *query.Formula, read []string, err error) {
	if r, err := nl.As(ctx, text, nl.Auto, nil); err == nil && !r.Formula {
		text = r.Node.String()
		read = []string{"read as plain language: " + text}
	}
	f, err = formula(text)
	return f, read, err
}

// shown is as much of a hit as was asked for.
func shown(h *retrieve.Hit, f *query.Formula, in searchArgs) hit {
	out := hit{Rank: h.Rank, Score: round(h.Score), Probability: round(h.Probability), ID: h.ID, Title: clip(h.Title, titleBytes)}
	out.Absent, out.CopyCount, out.copies = said.Absent(h), h.CopyCount, said.Copies(h, namedCopies)
	for _, c := range h.Copies[:min(namedCopies, len(h.Copies))] {
		out.Copies = append(out.Copies, c.ID)
	}
	if h.Explanation != nil {
		out.Why = clip(h.Explanation.Sentence, whyBytes)
	}
	switch in.Detail {
	case "low":
		if h.Title == "" {
			out.Title = clip(h.Snippet.Text, lowBytes)
		}
	case "normal":
		out.read(h, snippetBytes)
	case "high":
		out.read(h, longBytes)
	}
	if (in.Detail == "high" || in.Fields != nil) && len(h.Metadata) <= metadataBytes {
		out.Metadata = object(h.Metadata)
	}
	if in.Explain {
		out.PlainRank = h.PlainRank
		out.Similarities = map[string]float64{}
		for i := range f.Terms.Atoms() {
			for _, s := range h.Similarities {
				if s.Formula == f.Terms.Name(i) {
					out.Similarities[s.Formula] = round(s.Value)
				}
			}
		}
	}
	return out
}

// read takes as much of what matched as there is room for: a passage for each wanted
// atom, or the one that matches best.
func (out *hit) read(h *retrieve.Hit, n int) {
	if out.Passages = passagesOf(h, n); out.Passages == nil {
		out.Snippet, out.Place = clip(h.Snippet.Text, n), placeOf(h, &h.Snippet)
	}
}

// text is the answer for a model.
func (a *searchAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s for %s", count(len(a.Hits), "result"), a.Collection, a.Formula)
	if a.Filter != "" {
		fmt.Fprintf(&b, ", only where %s", a.Filter)
	}
	fmt.Fprintf(&b, " (%s, mode %s)\n", count(a.Documents, "document"), a.Mode)
	incomplete(&b, a.Degraded)
	for _, note := range slices.Concat(a.Notes, a.Hints) {
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

func (h *hit) write(b *strings.Builder) {
	fmt.Fprintf(b, "%d. %.3f", h.Rank, h.Score)
	if h.Probability > 0 {
		fmt.Fprintf(b, " (%.0f %% probable)", 100*h.Probability)
	}
	fmt.Fprintf(b, "  id %s", h.ID)
	if h.Title != "" {
		fmt.Fprintf(b, "  %s", h.Title)
	}
	b.WriteByte('\n')
	for _, p := range h.Passages {
		fmt.Fprintf(b, "   [%s] %s\n", strings.Join(p.Atoms, ", "), p.Text)
		p.Place.write(b)
	}
	if h.Snippet != "" {
		fmt.Fprintf(b, "   %s\n", h.Snippet)
		h.Place.write(b)
	}
	if len(h.Absent) > 0 {
		fmt.Fprintf(b, "   %s: %s\n", said.ToBeAbsent, strings.Join(h.Absent, ", "))
	}
	if h.copies != "" {
		fmt.Fprintf(b, "   %s\n", h.copies)
	}
	if h.Why != "" {
		fmt.Fprintf(b, "   %s\n", h.Why)
	}
	if len(h.Metadata) > 0 {
		fmt.Fprintf(b, "   metadata: %s\n", compact(h.Metadata))
	}
	if h.Similarities != nil {
		fmt.Fprintf(b, "   similarities: %s; ", compact(h.Similarities))
		if h.PlainRank > 0 {
			fmt.Fprintf(b, "plain search has it at %d\n", h.PlainRank)
		} else {
			b.WriteString("plain search does not find it\n")
		}
	}
}
