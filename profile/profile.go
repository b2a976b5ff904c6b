// Package profile configures how formulas are searched with an encoder: how query vectors are
// refined, which operators rank each kind of formula, and how scores become probabilities.
// nsfl tune learns a profile. It is stored with a collection as a small JSON file and named in
// results.
//
// The zero Profile follows the paper: unchanged vectors, and delta operators with c = 1. The
// package holds settings and simple arithmetic on them; it knows no documents and no stores.
package profile

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Profile holds the settings for an encoder. Treat it as immutable.
type Profile struct {
	// Name is shown with results.
	Name string `json:"name"`
	// Encoder is the name of the encoder that the profile was learned with.
	Encoder string `json:"encoder,omitempty"`
	// Hubness is the fraction of the mean vector of common words to subtract from every query
	// vector. The component that all queries share does not distinguish them.
	Hubness float64 `json:"hubness,omitempty"`
	// Words is the weight of the lexical score relative to vectors.
	Words float64 `json:"words,omitempty"`
	// Spread makes the weight of words relative: it is the standard deviation of the cosine of
	// two documents for which Words holds. Where the cosines of an encoder vary less, words
	// count less. 0 means that Words holds as it is.
	Spread float64 `json:"spread,omitempty"`
	// Feedback moves every vector of a query towards the documents it finds.
	Feedback Feedback `json:"feedback,omitzero"`
	// Operators maps kinds of formulas to operators. Missing kinds use the paper's.
	Operators map[Kind]Operator `json:"operators,omitempty"`
	// Calibration converts scores to probabilities; nil if the profile is not calibrated.
	Calibration *Logistic `json:"calibration,omitempty"`
	// Evidence lists the datasets that the profile was learned from.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Feedback configures pseudo-relevance feedback, which moves each query vector separately:
//
//	q ← q + weight · (mean of its best documents − mean of all), made unit
//
// The difference is normalized before it is weighted. The best documents are the nearest ones
// and, if the lexical score counts, those that match the terms best. Each is weighted by its
// lead over the last of them. An atom thus adopts the collection's vocabulary: documents that
// never mention the term are found by their similarity to those that do.
type Feedback struct {
	Documents int     `json:"documents,omitempty"` // 0 disables feedback; at most a tenth of all documents are used, of fifty or more
	Weight    float64 `json:"weight,omitempty"`
	Words     float64 `json:"words,omitempty"` // weight of the lexical score in their selection
}

// Operator configures the ranking of one kind of formula.
type Operator struct {
	Fusion fusion.Style  `json:"fusion,omitempty"`
	Logic  logic.Options `json:"logic,omitzero"`
}

// Logistic computes the probability that a document is relevant,
//
//	1 / (1 + exp(−intercept − score·s − length·log2(passages)))
//
// where s is its score, with words at their full weight, and passages the mean number of vectors
// per document. How far a score stands out from the others of a collection is no input: the
// best documents for a query without an answer stand out as far as right ones. Long documents
// mention more terms that are not their topic. Fewer than three passages count as three,
// because the shortest training set has 2.6.
type Logistic struct {
	Intercept float64 `json:"intercept"`
	Score     float64 `json:"score"`
	Length    float64 `json:"length,omitempty"`
}

// Of returns the probability for a score, in a collection of the given Length.
func (l *Logistic) Of(score, length float64) float64 {
	return 1 / (1 + math.Exp(-l.Intercept-l.Score*score-l.Length*length))
}

// Length returns log2(passages) for a collection with the given numbers of vectors and
// documents.
func Length(vectors, documents int) float64 {
	return math.Log2(max(3, float64(vectors)/float64(max(1, documents))))
}

// Evidence is a dataset that a profile was learned from, with its results: mAP@100 averaged
// over the kinds of formulas.
type Evidence struct {
	Set      string  `json:"set"`
	Queries  int     `json:"queries"`
	Baseline float64 `json:"baseline"` // one vector for the whole query as one string
	Paper    float64 `json:"paper"`    // the zero profile
	// Estimate is the cross-validated result of the profile, and Gain the interval of its gain
	// over the paper.
	Estimate float64    `json:"estimate"`
	Gain     [2]float64 `json:"gain"`
}

// Paper returns the zero profile, which follows the paper throughout.
func Paper() *Profile { return &Profile{Name: "paper"} }

// builtin holds the profiles of the revisions of the embedded encoder.
//
//go:embed builtin-*.json
var builtin embed.FS

// newest is the newest revision of the embedded encoder.
const newest = "2"

// Builtin returns the profile of the newest revision of the embedded encoder.
func Builtin() *Profile { return ofRevision(newest) }

// ofRevision returns the profile of a revision of the embedded encoder, or nil.
func ofRevision(name string) *Profile {
	text, err := builtin.ReadFile("builtin-" + name + ".json")
	if err != nil {
		return nil
	}
	p, err := Read(bytes.NewReader(text))
	if err != nil {
		panic("profile: the built-in one: " + err.Error())
	}
	return p
}

// General returns the profile for encoders without a learned one. Its lexical weight is
// relative to the spread of cosines, and its feedback is the built-in profile's. The cosines
// of many encoders lie between 0.6 and 1, because all their vectors share a large component,
// so most of it is removed.
func General() *Profile {
	return &Profile{Name: "general-2", Hubness: generalHubness, Words: generalWords, Spread: generalSpread, Feedback: Builtin().Feedback}
}

// Settings of General. eval/STUDIES.md has the measurements.
const (
	generalHubness = 0.8
	generalWords   = 0.8
	generalSpread  = 0.12 // of revision 1 of the built-in encoder, on average over demo, coco, music and manuals
)

// For returns the profile that ships for a revision of an encoder, or General if there is none.
// An unknown revision stands for the newest one.
func For(encoder, revision string) *Profile {
	if Builtin().Encoder != encoder {
		return General()
	}
	return cmp.Or(ofRevision(cmp.Or(revision, newest)), General())
}

// Operator returns the operator that ranks a formula.
func (p *Profile) Operator(f *query.Formula) Operator { return p.Operators[KindOf(f)] }

// maxBytes limits the size of a profile file.
const maxBytes = 1 << 16

// Read decodes and checks a profile.
func Read(r io.Reader) (*Profile, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	if len(data) > maxBytes {
		return nil, fmt.Errorf("reading a profile: it has more than %d bytes; this is not one that nsfl tune wrote", maxBytes)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	p := &Profile{}
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("reading a profile: %w; if an earlier version wrote it, learn it again with nsfl tune", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("reading a profile: there is something after its closing brace")
	}
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	return p, nil
}

// String returns the JSON encoding that Read accepts.
func (p *Profile) String() string {
	out, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic("profile: " + err.Error()) // Check ensures that numbers are finite
	}
	return string(out) + "\n"
}

// Check returns an error if a setting is invalid.
func (p *Profile) Check() error {
	finite := func(x, low, high float64) bool { return x >= low && x <= high }
	switch {
	case p.Name == "" || len(p.Name) > 200:
		return errors.New("the name must have between 1 and 200 bytes")
	case !finite(p.Hubness, 0, 1):
		return fmt.Errorf("hubness is %v: it must be between 0 and 1", p.Hubness)
	case p.Feedback.Documents < 0 || p.Feedback.Documents > maxFeedback:
		return fmt.Errorf("feedback is from %d documents: it must be between 0 and %d", p.Feedback.Documents, maxFeedback)
	case !finite(p.Words, 0, 10) || !finite(p.Feedback.Words, 0, 10):
		return fmt.Errorf("the weights of words are %v and %v: they must be between 0 and 10", p.Words, p.Feedback.Words)
	case !finite(p.Spread, 0, 1):
		return fmt.Errorf("the spread is %v: it must be between 0 and 1", p.Spread)
	case !finite(p.Feedback.Weight, 0, 10):
		return fmt.Errorf("the weight of feedback is %v: it must be between 0 and 10", p.Feedback.Weight)
	}
	for kind, o := range p.Operators {
		if err := kind.check(); err != nil {
			return err
		}
		if err := o.Logic.Check(); err != nil {
			return fmt.Errorf("the operator for %s: %w", kind, err)
		}
	}
	if l := p.Calibration; l != nil && !(finite(l.Intercept, -1000, 1000) && finite(l.Score, 0, 1000) && finite(l.Length, -1000, 1000)) {
		return errors.New("the calibration is not finite, or falls where a score rises")
	}
	return nil
}

// maxFeedback is the largest number of feedback documents.
const maxFeedback = 1000
