package retrieve

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Limits of a search. They keep one request from taking all of the memory.
const (
	MaxK          = 10_000
	MaxCandidates = 1_000_000
)

// Options are the free choices of a search; the zero value is good. Knobs has their
// names and what they mean.
type Options struct {
	K int `json:"k,omitempty"` // results; 0: 10
	// Offset leaves out so many of the first results; ranks count them. Pages of results are
	// those of one larger search.
	Offset int `json:"offset,omitempty"`
	// MinProbability leaves out results that are less probable to be relevant; 0:
	// none are. It needs a calibrated profile.
	MinProbability float64 `json:"min_probability,omitempty"`
	Explain        bool    `json:"explain,omitempty"` // say how each score came about
	Compare        bool    `json:"compare,omitempty"` // say where each result stood in plain retrieval
	// AllCopies shows copies of a document as results of their own; otherwise they are
	// named with the best of them.
	AllCopies bool `json:"all_copies,omitempty"`
	// Text is how much of the texts of documents is told.
	Text Extent `json:"text,omitzero"`
	// Fields are those of the metadata that are told; nil: all. The fields of an object
	// within an object are named outer.inner.
	Fields []string `json:"fields,omitzero"`
	// Facets are fields whose values are counted.
	Facets []engine.FacetWish `json:"facets,omitempty"`
	// PlainLanguage is how a query that may not be a formula is read; see Read.
	PlainLanguage nl.Way `json:"nl,omitzero"`
	// Chat is what reads plain language by a model, where that is the way; nil: nothing.
	Chat nl.Chat `json:"-"`
	// Bytes is about how long a result may be as JSON; 0: as long as it is. Of what does
	// not fit, explanations are left out first; a note says so.
	Bytes int `json:"-"`
	// Profile is how vectors are refined and which operators rank; nil: the
	// searcher's.
	Profile *profile.Profile `json:"-"`

	Research
}

// Research are choices that are there to be compared. A search that leaves them
// alone does what measured best.
type Research struct {
	Mode       Mode `json:"mode,omitzero"`        // Auto: Choose decides
	Candidates int  `json:"candidates,omitempty"` // size of the pool, for each vector it is near to; 0: 1000, as in the paper
	Pool       Pool `json:"pool,omitzero"`
	// Fusion makes strings of a formula, and Logic scores of similarities; nil: as
	// the profile has them for the kind of formula.
	Fusion *fusion.Style  `json:"fusion,omitempty"`
	Logic  *logic.Options `json:"logic,omitempty"`
	// Words is how much words count beside vectors; nil: as the profile has it.
	Words  *float64 `json:"words,omitempty"`
	Solver Solver   `json:"solver,omitzero"` // of the sphere, for SQO and Hybrid
}

// complete fills in what is left out: the defaults, and what the profile chooses for
// the kind of formula. Plain retrieval stays plain.
func (o Options) complete(f *query.Formula) Options {
	if o.K == 0 {
		o.K = 10
	}
	if o.Candidates == 0 {
		o.Candidates = 1000
	}
	o.Candidates = max(o.Candidates, o.K) // not by what is left out: all pages are of one pool
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

// total is how many results there are down to the last that is wanted.
func (o *Options) total() int { return o.Offset + o.K }

// Check reports a choice that has no meaning.
func (o Options) Check() error {
	switch {
	case o.K < 0 || o.K > MaxK:
		return badOption("%d results are wanted: between 1 and %d are possible", o.K, MaxK)
	case o.Offset < 0 || o.Offset > MaxK-max(1, o.K):
		return badOption("%d results are wanted after the first %d: up to the %dth are possible", o.K, o.Offset, MaxK)
	case o.Candidates < 0 || o.Candidates > MaxCandidates:
		return badOption("a pool of %d is wanted: between 1 and %d are possible", o.Candidates, MaxCandidates)
	case !(o.MinProbability >= 0 && o.MinProbability <= 1):
		return badOption("the least probability is %v: it lies between 0 and 1", o.MinProbability)
	case o.Words != nil && !(*o.Words >= 0 && *o.Words <= logic.MaxCoefficient):
		return badOption("the weight of words is %v: it lies between 0 and %d", *o.Words, logic.MaxCoefficient)
	case int(o.Mode) >= len(modeNames), int(o.Pool) >= len(poolNames), int(o.Solver) >= len(solverNames), int(o.Text) >= len(extentNames):
		return badOption("unknown mode, pool, solver or extent of texts")
	case len(o.Fields) > engine.MaxFields:
		return badOption("%d fields are wanted: at most %d are possible", len(o.Fields), engine.MaxFields)
	case slices.Contains(o.Fields, ""):
		return badOption("a field is wanted that has no name")
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

// OptionError says that a search was asked for in a way that has no meaning or
// that the store or the encoder cannot serve.
type OptionError struct{ Problem string }

func (e *OptionError) Error() string { return e.Problem }

func badOption(problem string, args ...any) error {
	return &OptionError{fmt.Sprintf(problem, args...)}
}
