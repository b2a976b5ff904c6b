package retrieve

import (
	"encoding/json"
	"time"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// Result is the answer to a formula.
type Result struct {
	Query      string   `json:"query" doc:"as it was asked, or as the language would have it"`
	Understood []string `json:"understood,omitempty" doc:"of plain language: the formula, then notes"`

	Formula string `json:"formula"`
	Filter  string `json:"filter,omitempty"`
	// Mode is what was done; Reason says why where Auto decided.
	Mode    Mode     `json:"mode"`
	Reason  string   `json:"reason,omitempty"`
	Fusion  string   `json:"fusion"`
	Profile string   `json:"profile,omitempty"` // that moved the vectors; empty: they are the encoder's own
	Refined string   `json:"refined,omitempty" doc:"what the profile did to the vectors of the query, in words"`
	Encoder string   `json:"encoder"`
	Strings []string `json:"strings"`       // what was encoded
	Cut     []string `json:"cut,omitempty"` // of which the encoder did not read the ends

	Documents int `json:"documents"` // in the store
	Ranked    int `json:"ranked"`    // of which so many were ranked
	// Proof is how far the hits are proven to be the best of all documents, where not all
	// were ranked.
	Proof *Proof `json:"proof,omitempty" doc:"how far the hits are proven to be the best of all documents, where not all were ranked"`
	// LeftOut are those of the best that MinProbability left out.
	LeftOut int `json:"left_out,omitempty"`
	// Candidate is, of Why, whether the mode's pool holds the document.
	Candidate *bool `json:"candidate,omitempty" doc:"of explain: whether the mode's pool holds the document"`

	Hits []Hit `json:"hits"`
	// Offset is how many were left out before the hits; Next is that of those after them,
	// where there are any.
	Offset int `json:"offset,omitempty" doc:"results that were left out before the hits"`
	Next   int `json:"next,omitempty" doc:"the offset of the results after these, where there are any"`
	// Facets are what documents have of fields.
	Facets []*engine.Facet `json:"facets,omitempty" doc:"what the documents that the conditions keep have of fields, and the first 100 results"`
	// More and Explained tell what there was no room for in Options.Bytes.
	More         bool `json:"more,omitempty" doc:"there are further results, which would make the answer longer than it may be"`
	Explained    int  `json:"explained,omitempty" doc:"so many of the hits are explained, where explanations of all would make the answer longer than it may be"`
	TextsLeftOut int  `json:"texts_left_out,omitempty" doc:"so many of the hits have less of their texts than was wanted, since the answer would be longer than it may be"`
	// Plain is what plain retrieval gives, the best first, where a comparison is
	// wanted; it was looked at down to rank Compared.
	Plain    []PlainHit `json:"plain,omitempty"`
	Compared int        `json:"compared,omitempty"`

	// Notes say in words what a reader should know of how the results came about.
	Notes []string `json:"notes,omitempty"`
	// Degraded says in words what part of the store did not answer.
	Degraded []string `json:"degraded,omitempty"`
	Timings  Timings  `json:"timings_ms"`
}

// Hit is a document in a result.
type Hit struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Score float64 `json:"score"`
	// Probability of being relevant, where the profile is calibrated; otherwise Strength
	// says how much of the formula matches, where words count.
	Probability float64 `json:"probability,omitempty"`
	Strength    string  `json:"strength,omitempty" doc:"strong, partial or weak, where there is no probability: whether all wanted atoms, some or none are mentioned"`
	Title       string  `json:"title,omitempty"`
	Text        string  `json:"text,omitempty" doc:"all of it, where that was wanted and there was room"`
	Snippet     Snippet `json:"snippet"`
	// Passages are, for each wanted atom, the passage that has most of it, where there
	// are several atoms to check.
	Passages []Snippet `json:"passages,omitempty"`
	// Unwanted are, for each negated atom, the passage that says it or, where none does,
	// says it to be absent.
	Unwanted []Snippet       `json:"unwanted,omitempty" doc:"for each negated atom, the passage that says it or, where none does, says it to be absent"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	// Similarities are those to the terms of the formula that decide.
	Similarities []logic.Named `json:"similarities"`
	// Words are, for each atom, how much of its words the document has, where words count.
	Words []AtomWords `json:"words,omitempty"`
	// PlainRank is where plain retrieval has it, or the copy of it that it shows; 0: beyond
	// Result.Compared, or no comparison was wanted.
	PlainRank   int                `json:"plain_rank,omitempty"`
	Explanation *logic.Explanation `json:"explanation,omitempty"`
	// Copies are documents further down that say the same, the first of CopyCount that
	// were found.
	Copies    []Copy `json:"copies,omitempty" doc:"documents further down that say the same, up to 20 of copy_count"`
	CopyCount int    `json:"copy_count,omitempty"`

	source string // see Source
}

// AtomWords is what a document has of an atom's words.
type AtomWords struct {
	Atom    string  `json:"atom"`
	Negated bool    `json:"negated,omitempty"`
	Share   float64 `json:"share" doc:"how much of them, up to 1; below 0 where the document says that they are absent"`
	// Found has each word, with the document's word that is nearest.
	Found []words.Found `json:"found,omitempty"`
}

// strength returns how many of the wanted atoms a hit mentions, in a word; a document
// matches a disjunction by one of them.
func (h *Hit) strength(root query.Node) string {
	const mentioned = 0.5
	wanted, matched := 0, 0
	for _, w := range h.Words {
		if w.Negated {
			continue
		}
		wanted++
		if w.Share >= mentioned {
			matched++
		}
	}
	_, either := root.(*query.Or)
	switch {
	case wanted == 0:
		return ""
	case matched == 0:
		return "weak"
	case matched == wanted || either:
		return "strong"
	}
	return "partial"
}

// Snippet is the passage of a document that matches best.
type Snippet struct {
	Text  string        `json:"text"`
	Place passage.Place `json:"place,omitzero" doc:"where it begins, as far as that is known"`
	// Atom is the wanted atom that it is most similar to, how similar, and how much of
	// the atom's words it has.
	Atom       string  `json:"atom,omitempty"`
	Similarity float64 `json:"similarity,omitempty"`
	Share      float64 `json:"share,omitempty"`

	clipped bool // the passage goes on
}

// PlainHit is a document in the list of plain retrieval.
type PlainHit struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Title string  `json:"title,omitempty"`
	Text  string  `json:"text,omitempty"`
	Score float64 `json:"score"`
	// Now is its rank in Result.Hits, or that of a copy; 0 where neither is among them.
	Now       int `json:"now,omitempty"`
	CopyCount int `json:"copy_count,omitempty" doc:"documents further down that say the same"`
}

// Timings are what the steps of a search took.
type Timings struct {
	Encode  time.Duration // with what a profile does to the vectors
	Find    time.Duration // the sphere, the store's search and the similarities
	Rank    time.Duration
	Compare time.Duration
	Read    time.Duration // the documents and their snippets
	Explain time.Duration
}

// Total is the sum.
func (t Timings) Total() time.Duration {
	return t.Encode + t.Find + t.Rank + t.Compare + t.Read + t.Explain
}

// MarshalJSON writes milliseconds.
func (t Timings) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{
		"encode": milliseconds(t.Encode), "find": milliseconds(t.Find), "rank": milliseconds(t.Rank), "compare": milliseconds(t.Compare),
		"read": milliseconds(t.Read), "explain": milliseconds(t.Explain), "total": milliseconds(t.Total()),
	})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
