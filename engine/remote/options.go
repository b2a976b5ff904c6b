package remote

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

// DefaultCollection is the name of a collection if the address names none.
const DefaultCollection = "nsfl"

// Defaults fills in the time limits: half a minute for reading, repetitions included, and
// ten minutes for writing. It returns an error for invalid options.
func Defaults(o *engine.Options, maxDimension int) error {
	switch {
	case o.Dimension < 0 || o.Dimension > maxDimension:
		return engine.BadInput("option Dimension", "%d is not between 1 and %d", o.Dimension, maxDimension)
	case !utf8.ValidString(o.Encoder) || strings.IndexByte(o.Encoder, 0) >= 0:
		return engine.BadInput("option Encoder", "is not valid UTF-8 or has a zero byte")
	case o.Timeout < 0 || o.WriteTimeout < 0:
		return engine.BadInput("option Timeout", "is negative")
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 10 * time.Minute
	}
	return nil
}

// Identity is the description that a collection stores of itself.
type Identity struct {
	Format    int    `json:"format"`
	Dimension int    `json:"dimension"`
	Encoder   string `json:"encoder"`
}

// Agrees returns an error if the format of a collection is too new, or if it is not the
// collection that the options ask for.
func (found Identity) Agrees(place string, supported int, o *engine.Options) error {
	switch {
	case found.Format > supported:
		return &engine.FormatError{Dir: place, Found: found.Format, Supported: supported}
	case o.Encoder != "" && o.Encoder != found.Encoder:
		return &engine.MismatchError{Dir: place, What: "encoder", Stored: strconv.Quote(found.Encoder), Given: strconv.Quote(o.Encoder)}
	case o.Dimension != 0 && o.Dimension != found.Dimension:
		return &engine.MismatchError{Dir: place, What: "dimension", Stored: strconv.Itoa(found.Dimension), Given: strconv.Itoa(o.Dimension)}
	}
	return nil
}

// CheckDimension returns an error unless vectors that others have stored can be read and have
// the dimension that the options ask for. Their encoder is not known.
func (c *Calls) CheckDimension(dim int) error {
	if dim < 1 || dim > engine.MaxDimension {
		return fmt.Errorf("its vectors have %d dimensions; 1 to %d are possible", dim, engine.MaxDimension)
	}
	o := c.Options
	o.Encoder = ""
	return Identity{Dimension: dim}.Agrees(c.Place, 0, &o)
}

// CheckFilter returns an *engine.InputError unless a filter is nil or a tree of predicates.
func CheckFilter(filter query.Node) error {
	for node := range query.Walk(filter) {
		var parts []query.Node
		switch n := node.(type) {
		case *query.Predicate:
			if n.Op > query.Glob {
				return engine.BadInput("filter", "unknown comparison %d", n.Op)
			}
			if n.OnText() {
				if _, err := storekit.PatternOf(n); err != nil {
					return err
				}
			}
			continue
		case *query.Not:
			parts = []query.Node{n.X}
		case *query.And:
			parts = n.Parts
		case *query.Or:
			parts = n.Parts
		default:
			return engine.BadInput("filter", "%s is not a predicate such as year:>=2015", node)
		}
		switch {
		case len(parts) == 0:
			return engine.BadInput("filter", "AND or OR of nothing")
		case slices.Contains(parts, nil):
			return engine.BadInput("filter", "a part of it is missing")
		}
	}
	return nil
}

// Judge decides a filter on documents that have been read, as far as an engine cannot.
type Judge struct {
	filter   query.Node
	patterns map[*query.Predicate]*words.Pattern
}

// NewJudge returns the judge of a filter. That of nil passes everything.
func NewJudge(filter query.Node) (*Judge, error) {
	j := &Judge{filter, map[*query.Predicate]*words.Pattern{}}
	for leaf := range query.Leaves(filter) {
		if p, ok := leaf.(*query.Predicate); ok && p.OnText() {
			var err error
			if j.patterns[p], err = storekit.PatternOf(p); err != nil {
				return nil, err
			}
		}
	}
	return j, nil
}

// Passes reports whether a document with the parts of Want.All passes.
func (j *Judge) Passes(d *engine.Document) (bool, error) {
	if j.filter == nil {
		return true, nil
	}
	values, err := predicate.Values(d.Metadata)
	if err != nil {
		return false, fmt.Errorf("reading the stored metadata: %w", err)
	}
	cut := map[string][][]uint16{} // the pieces of each field
	return query.Holds(j.filter, func(leaf query.Node) bool {
		p := leaf.(*query.Predicate) // by CheckFilter
		pattern := j.patterns[p]
		if pattern == nil {
			return predicate.Passes(p, values)
		}
		if cut[p.Field] == nil {
			for _, texts := range storekit.TextsOf(p, d, values) {
				cut[p.Field] = append(cut[p.Field], words.Pieces(texts))
			}
		}
		return slices.ContainsFunc(cut[p.Field], pattern.In)
	}), nil
}

// ReadOnly implements the methods of engine.Collection that an attached store does not support.
type ReadOnly struct{}

var errAttached = fmt.Errorf("the store is somebody else's and only read: copy it with nsfl copy to have a collection that can be written to: %w", engine.ErrReadOnly)

func (ReadOnly) Encoder() string { return "" }

func (ReadOnly) Upsert(context.Context, []engine.Document) error { return errAttached }

func (ReadOnly) Delete(context.Context, []string) (int, error) { return 0, errAttached }

func (ReadOnly) SetNotes(context.Context, map[string]string) error { return errAttached }

func (ReadOnly) Notes(context.Context, string) (map[string]string, error) {
	return map[string]string{}, nil
}
