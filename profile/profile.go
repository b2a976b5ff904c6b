// Package profile says how formulas are searched with an encoder: what is done to
// the vectors of a query before anything is compared, which operators rank each
// kind of formula, and what a score is worth. A profile is learned by nsfl tune,
// kept with a collection as a small JSON text, and named in results.
//
// The zero Profile is the paper: vectors as the encoder gives them, delta
// operators with c = 1. The package holds choices and their small arithmetic; it
// knows no documents and no stores.
package profile

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query"
)

// Profile is a set of choices. It is not changed once it is made.
type Profile struct {
	// Name is shown with results.
	Name string `json:"name"`
	// Encoder is the name of the one that it was learned with.
	Encoder string `json:"encoder,omitempty"`
	// Hubness is how much of the mean of common words is taken from every vector
	// of a query: what all queries share says nothing about any of them.
	Hubness float64 `json:"hubness,omitempty"`
	// Words is how much the words of documents count beside their vectors.
	Words float64 `json:"words,omitempty"`
	// Feedback moves every vector of a query towards the documents it finds.
	Feedback Feedback `json:"feedback,omitzero"`
	// Operators rank formulas by their kind; those that are not named are the
	// paper's.
	Operators map[Kind]Operator `json:"operators,omitempty"`
	// Calibration makes a probability of a score; nil: there are none.
	Calibration *Logistic `json:"calibration,omitempty"`
	// Evidence says what the choices were learned from.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Feedback is pseudo-relevance feedback, for each vector of a query on its own:
//
//	q ← q + weight · (mean of its best documents − mean of all), made unit
//
// The second part is of unit length before it is weighted. The best documents are those
// that are nearest and, where words count, say most of it; each counts as much as it is
// better than the last of them. So words teach vectors: an atom becomes what the
// collection calls it, and documents that never say the word are found by what those
// that say it have in common.
type Feedback struct {
	Documents int     `json:"documents,omitempty"` // 0: none; at most a tenth of all are taken
	Weight    float64 `json:"weight,omitempty"`
	Words     float64 `json:"words,omitempty"` // how much words count in choosing them
}

// Operator is how a kind of formula is ranked.
type Operator struct {
	Fusion fusion.Style  `json:"fusion,omitempty"`
	Logic  logic.Options `json:"logic,omitzero"`
}

// Logistic gives the probability that a document is relevant,
//
//	1 / (1 + exp(−intercept − slope·z − score·s − length·log2(passages)))
//
// where s is its score, z how many standard deviations that is above the mean of a sample
// of the collection, and passages the mean number of vectors per document. z alone would
// call the best of any documents probable, and s alone knows nothing of the formula. Long
// documents mention more of what they are not about; fewer than three passages count as
// three, since the shortest set to learn from has 2.6.
type Logistic struct {
	Intercept float64 `json:"intercept"`
	Slope     float64 `json:"slope"`
	Score     float64 `json:"score,omitempty"`
	Length    float64 `json:"length,omitempty"`
}

// Of returns the probability for a score of z deviations, in a collection whose documents
// have some Length.
func (l *Logistic) Of(z, score, length float64) float64 {
	return 1 / (1 + math.Exp(-l.Intercept-l.Slope*z-l.Score*score-l.Length*length))
}

// Length returns log2(passages) for a collection of so many vectors and documents.
func Length(vectors, documents int) float64 {
	return math.Log2(max(3, float64(vectors)/float64(max(1, documents))))
}

// Evidence is a set that a profile was learned from, and what was found: means of
// mAP@100 over the kinds of formulas.
type Evidence struct {
	Set      string  `json:"set"`
	Queries  int     `json:"queries"`
	Baseline float64 `json:"baseline"` // one vector, the whole query as one string
	Paper    float64 `json:"paper"`    // the zero profile
	// Estimate is that of the profile by cross-validation, and the interval is of
	// its gain over the paper.
	Estimate float64    `json:"estimate"`
	Gain     [2]float64 `json:"gain"`
}

// Paper is the zero profile: everything as the paper has it.
func Paper() *Profile { return &Profile{Name: "paper"} }

//go:embed builtin.json
var builtin []byte

// Builtin is the profile of the encoder inside the binary.
func Builtin() *Profile {
	p, err := Read(bytes.NewReader(builtin))
	if err != nil {
		panic("profile: the built-in one: " + err.Error())
	}
	return p
}

// General is the profile for encoders that none was learned with: what the built-in one
// does with words and feedback, which hold for any vectors, and nothing that depends on
// how an encoder spreads its own.
func General() *Profile {
	b := Builtin()
	return &Profile{Name: "general-1", Words: b.Words, Feedback: b.Feedback}
}

// For is the profile that ships for an encoder of a name: the general one where there
// is no other.
func For(encoder string) *Profile {
	if b := Builtin(); b.Encoder == encoder {
		return b
	}
	return General()
}

// Operator is what ranks a formula.
func (p *Profile) Operator(f *query.Formula) Operator { return p.Operators[KindOf(f)] }

// maxBytes is more than any profile needs.
const maxBytes = 1 << 16

// Read reads a profile and checks it.
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

// String is the JSON text that Read reads.
func (p *Profile) String() string {
	out, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic("profile: " + err.Error()) // numbers are finite: see Check
	}
	return string(out) + "\n"
}

// Check reports a choice that has no meaning.
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
	if l := p.Calibration; l != nil && !(finite(l.Intercept, -1000, 1000) && finite(l.Slope, 0, 1000) && finite(l.Score, 0, 1000) && finite(l.Length, -1000, 1000)) {
		return errors.New("the calibration is not finite, or falls where a score rises")
	}
	return nil
}

// maxFeedback is the most documents that feedback may be from.
const maxFeedback = 1000
