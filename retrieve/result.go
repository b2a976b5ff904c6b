package retrieve

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/query"
)

// Result is the answer to a query.
type Result struct {
	Query      string   `json:"query" doc:"the query as it was given, or the formula made from its parts"`
	Understood []string `json:"understood,omitempty" doc:"for plain language: the formula it was read as, followed by notes"`

	DidYouMean string `json:"did_you_mean,omitempty" doc:"the query with suggestions in place of words that no document has"`

	Formula string `json:"formula"`
	Filter  string `json:"filter,omitempty"`
	// Mode is the mode the search used; Reason explains why Auto chose it.
	Mode    Mode     `json:"mode"`
	Reason  string   `json:"reason,omitempty"`
	Fusion  string   `json:"fusion"`
	Profile string   `json:"profile,omitempty"` // the profile that moved the vectors; empty if they are the encoder's own
	Refined string   `json:"refined,omitempty" doc:"how the profile moved the vectors of the query, in words"`
	Encoder string   `json:"encoder"`
	Strings []string `json:"strings"`       // the strings that were encoded
	Cut     []string `json:"cut,omitempty"` // strings that were too long for the encoder, which read only their beginnings

	Documents int `json:"documents"` // in the store
	Ranked    int `json:"ranked"`    // documents that were ranked
	// Proof states how far the hits are proven to be the best of all documents. It is nil
	// unless the search ranked only some of them.
	Proof *Proof `json:"proof,omitempty" doc:"how many hits are proven to be the best of all documents, if not all were ranked"`
	// LeftOut counts the results that MinProbability dropped, and those that nothing supports.
	LeftOut int `json:"left_out,omitempty"`
	// Candidate is set by Why: it reports whether the mode's pool contains the document.
	Candidate *bool `json:"candidate,omitempty" doc:"for explain: whether the document is in the pool of the mode"`

	Hits []Hit `json:"hits"`
	// Offset is the number of results skipped before the hits. Next is the offset of the
	// following page, if there is one.
	Offset int `json:"offset,omitempty" doc:"number of results skipped before the hits"`
	Next   int `json:"next,omitempty" doc:"offset of the next page, if there is one"`
	// Facets counts the values of the requested fields.
	Facets []*fieldstats.Facet `json:"facets,omitempty" doc:"counts of field values, in the documents that pass the filter and in the first 100 results"`
	// More, Explained and TextsLeftOut report content that did not fit into Options.Bytes.
	More         bool `json:"more,omitempty" doc:"further results did not fit into the size limit of an answer"`
	Explained    int  `json:"explained,omitempty" doc:"number of hits that are explained, if the others did not fit into the size limit of an answer"`
	TextsLeftOut int  `json:"texts_left_out,omitempty" doc:"number of hits whose text was cut or left out because of the size limit of an answer"`
	// Plain holds the results of plain retrieval, best first, if a comparison was requested.
	// Compared is the deepest rank that was compared.
	Plain    []PlainHit `json:"plain,omitempty"`
	Compared int        `json:"compared,omitempty"`

	// Notes explains to the reader how the results came about.
	Notes []string `json:"notes,omitempty"`
	// Degraded lists the parts of the store that did not answer.
	Degraded []string `json:"degraded,omitempty"`
	Timings  Timings  `json:"timings_ms"`
}

// Hit is a document in a result.
type Hit struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Score float64 `json:"score"`
	// Probability is the probability of relevance, if the profile is calibrated. Otherwise
	// Strength grades how much of the formula matches, if the lexical score counts.
	Probability float64 `json:"probability,omitempty"`
	Strength    string  `json:"strength,omitempty" doc:"strong, partial or weak if there is no probability: all wanted atoms are mentioned, some or none"`
	Title       string  `json:"title,omitempty"`
	Text        string  `json:"text,omitempty" doc:"the whole text, if it was requested and fits"`
	Snippet     Snippet `json:"snippet"`
	// Passages holds the best passage for each wanted atom, if there are at least two.
	Passages []Snippet `json:"passages,omitempty"`
	// Unwanted holds, for each negated atom, the passage that mentions it or, failing that,
	// the passage that denies it.
	Unwanted []Snippet       `json:"unwanted,omitempty" doc:"for each negated atom, the passage that mentions it or, if there is none, denies it"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	// Similarities holds the similarities to the terms that decide the score.
	Similarities []logic.Named `json:"similarities"`
	// Words holds the lexical match of each atom, if the lexical score counts.
	Words []AtomWords `json:"words,omitempty"`
	// Patterns holds the patterns of the filter that the document matches.
	Patterns []PatternMatch `json:"patterns,omitempty" doc:"the patterns of the filter that the document matches, and where"`
	// PlainRank is the rank of the document, or of its best copy, in plain retrieval. It is 0
	// if that rank is beyond Result.Compared or no comparison was requested.
	PlainRank   int                `json:"plain_rank,omitempty"`
	Explanation *logic.Explanation `json:"explanation,omitempty"`
	// Copies lists lower-ranked documents with the same wording: the first few of the
	// CopyCount that were found.
	Copies    []Copy `json:"copies,omitempty" doc:"lower-ranked copies of the document, up to 20 of copy_count"`
	CopyCount int    `json:"copy_count,omitempty"`

	source string // see Source
}

// AtomWords is the lexical match between an atom and a document.
type AtomWords struct {
	Atom    string  `json:"atom"`
	Negated bool    `json:"negated,omitempty"`
	Share   float64 `json:"share" doc:"lexical score of the atom, up to 1; negative if the document denies it"`
	// Found lists each query term with the closest token of the document.
	Found []words.Found `json:"found,omitempty"`
}

// PatternMatch is a pattern that a document matches.
type PatternMatch struct {
	Pattern string        `json:"pattern" doc:"the condition, such as text:(heart NEAR/5 attack)"`
	Matches []words.Match `json:"matches" nullable:"false" doc:"the first three"`
}

// strength grades how many of the wanted atoms a hit mentions. One atom is enough for a
// disjunction. A document about an excluded atom is a weak match, and a text of one passage
// that mentions it a partial one.
func (h *Hit) strength(root query.Node) string {
	const mentioned = 0.5
	wanted, matched, about, short := 0, 0, false, false
	for _, w := range h.Words {
		if w.Negated {
			if w.Share >= mentioned {
				about = about || slices.ContainsFunc(w.Found, func(f words.Found) bool { return f.About })
				short = short || slices.ContainsFunc(w.Found, func(f words.Found) bool { return f.Passages == 1 && f.Mentions == 1 })
			}
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
	case matched == 0 || about:
		return "weak"
	case !short && (matched == wanted || either):
		return "strong"
	}
	return "partial"
}

// Snippet is the passage of a document that matches best.
type Snippet struct {
	Text  string        `json:"text"`
	Place passage.Place `json:"place,omitzero" doc:"where the passage begins, if known"`
	// Atom is the wanted atom that the passage matches best, with the vector similarity and
	// the lexical share of that atom.
	Atom       string  `json:"atom,omitempty"`
	Similarity float64 `json:"similarity,omitempty"`
	Share      float64 `json:"share,omitempty"`

	clipped bool // the passage continues
}

// PlainHit is a document in the list of plain retrieval.
type PlainHit struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Title string  `json:"title,omitempty"`
	Text  string  `json:"text,omitempty"`
	Score float64 `json:"score"`
	// Now is the rank of the document, or of a copy, in Result.Hits; 0 if neither is there.
	Now       int `json:"now,omitempty"`
	CopyCount int `json:"copy_count,omitempty" doc:"number of lower-ranked copies of the document"`
}

// Timings holds the duration of each step of a search.
type Timings struct {
	Encode  time.Duration // includes the profile's changes to the vectors
	Find    time.Duration // solving for the query vector, the store's search and the similarities
	Rank    time.Duration
	Compare time.Duration
	Read    time.Duration // reading documents and extracting snippets
	Explain time.Duration
}

// Total returns the sum of all steps.
func (t Timings) Total() time.Duration {
	return t.Encode + t.Find + t.Rank + t.Compare + t.Read + t.Explain
}

// MarshalJSON encodes the durations in milliseconds.
func (t Timings) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]float64{
		"encode": milliseconds(t.Encode), "find": milliseconds(t.Find), "rank": milliseconds(t.Rank), "compare": milliseconds(t.Compare),
		"read": milliseconds(t.Read), "explain": milliseconds(t.Explain), "total": milliseconds(t.Total()),
	})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
