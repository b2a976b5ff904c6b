package retrieve

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// A FacetRequest names a field whose values are counted.
type FacetRequest = fieldstats.FacetRequest

// Limits of a search. They bound the memory of a single request.
const (
	MaxK          = 10_000
	MaxCandidates = 1_000_000
)

// Options configures a search; the zero value is a good default. Knobs documents each option.
type Options struct {
	K int `json:"k,omitempty"` // results; 0: 10
	// Offset skips the first results, which ranks still count. All pages are taken from one
	// ranking.
	Offset int `json:"offset,omitempty"`
	// MinProbability drops results that are less likely to be relevant. It needs a calibrated
	// profile; 0 keeps all results.
	MinProbability float64 `json:"min_probability,omitempty"`
	// All also returns the last results if nothing supports them: they mention no wanted word,
	// and are unlikely to match.
	All     bool `json:"all,omitempty"`
	Explain bool `json:"explain,omitempty"` // explain each score
	Compare bool `json:"compare,omitempty"` // report each result's rank in plain retrieval
	// AllCopies shows copies of a document as separate results. Otherwise they are listed with
	// the best of them.
	AllCopies bool `json:"all_copies,omitempty"`
	// Text selects how much of each document's text to return.
	Text TextDetail `json:"text,omitzero"`
	// Fields lists the metadata fields to return; nil returns all. Nested fields are named
	// outer.inner.
	Fields []string `json:"fields,omitzero"`
	// Facets lists fields whose values are counted.
	Facets []FacetRequest `json:"facets,omitempty"`
	// PlainLanguage selects how to read a query that may not be a formula; see Read.
	PlainLanguage nl.Way `json:"nl,omitzero"`
	// Chat is the model that reads plain language, if PlainLanguage asks for one.
	Chat nl.Chat `json:"-"`
	// Bytes roughly limits the size of a result as JSON; 0 means no limit. Explanations are
	// dropped first, and a note reports it.
	Bytes int `json:"-"`
	// Profile refines vectors and selects the ranking operators; nil uses the searcher's
	// profile.
	Profile *profile.Profile `json:"-"`

	Research
}

// Research holds options for experiments. The defaults are the settings that measured best.
type Research struct {
	Mode       Mode `json:"mode,omitzero"`        // Auto chooses by the size of the store
	Candidates int  `json:"candidates,omitempty"` // pool size per query vector; 0 means 1000, as in the paper
	Pool       Pool `json:"pool,omitzero"`
	// Fusion turns a formula into strings, and Logic turns similarities into scores. Nil uses
	// the profile's choice for the kind of formula.
	Fusion *fusion.Style  `json:"fusion,omitempty"`
	Logic  *logic.Options `json:"logic,omitempty"`
	// Words is the weight of the lexical score relative to vectors; nil uses the profile's.
	Words  *float64 `json:"words,omitempty"`
	Solver Solver   `json:"solver,omitzero"` // finds the query vector of SQO and Hybrid
}

// complete fills in defaults and the profile's choices for the kind of formula. Baseline
// ignores the profile's operators.
func (o Options) complete(f *query.Formula) Options {
	if o.K == 0 {
		o.K = 10
	}
	if o.Candidates == 0 {
		o.Candidates = 1000
	}
	o.Candidates = max(o.Candidates, o.K) // o.Offset does not count: all pages share one pool
	op := o.Profile.Operator(f)
	if o.Mode == Baseline {
		op = profile.Operator{}
	}
	if o.Fusion == nil {
		o.Fusion = &op.Fusion
	}
	calculus := op.Logic
	if o.Logic != nil {
		calculus = *o.Logic
	}
	if o.Words == nil {
		o.Words = &o.Profile.Words
	}
	if calculus.Words = 0; o.Mode.calculus() {
		calculus.Words = *o.Words
	}
	o.Logic = &calculus
	return o
}

// total returns the rank of the last result wanted.
func (o *Options) total() int { return o.Offset + o.K }

// Check returns an error if an option is invalid.
func (o Options) Check() error {
	switch {
	case o.K < 0 || o.K > MaxK:
		return badOption("the number of results is %d: use 1 to %d", o.K, MaxK)
	case o.Offset < 0 || o.Offset > MaxK-max(1, o.K):
		return badOption("%d results after the first %d are too many: use results up to rank %d", o.K, o.Offset, MaxK)
	case o.Candidates < 0 || o.Candidates > MaxCandidates:
		return badOption("the pool has %d candidates: use 1 to %d", o.Candidates, MaxCandidates)
	case !(o.MinProbability >= 0 && o.MinProbability <= 1):
		return badOption("the least probability is %v: use 0 to 1", o.MinProbability)
	case o.Words != nil && !(*o.Words >= 0 && *o.Words <= logic.MaxCoefficient):
		return badOption("the weight of words is %v: use 0 to %d", *o.Words, logic.MaxCoefficient)
	case int(o.Mode) >= len(modeNames), int(o.Pool) >= len(poolNames), int(o.Solver) >= len(solverNames), int(o.Text) >= len(detailNames):
		return badOption("unknown mode, pool, solver or detail of texts")
	case len(o.Fields) > engine.MaxFields:
		return badOption("%d fields are too many: name at most %d", len(o.Fields), engine.MaxFields)
	case slices.Contains(o.Fields, ""):
		return badOption("a field to return has an empty name")
	}
	if err := checkFacets(o.Facets); err != nil {
		return err
	}
	if o.Logic != nil {
		if err := o.Logic.Check(); err != nil {
			return badOption("%v", err)
		}
	}
	if o.Profile != nil {
		if err := o.Profile.Check(); err != nil {
			return badOption("the profile cannot be used: %v", err)
		}
	}
	return nil
}

// OptionError reports an option that is invalid, or that the store or the encoder does not
// support.
type OptionError struct{ Problem string }

func (e *OptionError) Error() string { return e.Problem }

func badOption(problem string, args ...any) error {
	return &OptionError{fmt.Sprintf(problem, args...)}
}
