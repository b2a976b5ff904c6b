package remote

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
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
	Format    int
	Dimension int
	Encoder   string
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

// CheckFilter returns an *engine.InputError unless a filter is nil or a tree of predicates
// on metadata.
func CheckFilter(filter query.Node) error {
	if filter == nil {
		return nil
	}
	return checkNode(filter)
}

func checkNode(node query.Node) error {
	var parts []query.Node
	switch n := node.(type) {
	case *query.Predicate:
		if n.Op > query.GreaterEqual {
			return engine.BadInput("filter", "unknown comparison %d", n.Op)
		}
		if n.Field == words.Field {
			// It is no field of the metadata, and the engines cannot find phrases.
			return engine.BadInput("filter", "%s is about what texts say, by which only a collection in a directory can be filtered: leave it out, or copy the collection into one", n)
		}
		return nil
	case *query.Not:
		parts = []query.Node{n.X}
	case *query.And:
		parts = n.Parts
	case *query.Or:
		parts = n.Parts
	case nil:
		return engine.BadInput("filter", "a part of it is missing")
	default:
		return engine.BadInput("filter", "%s is not a predicate such as year:>=2015", node)
	}
	if len(parts) == 0 {
		return engine.BadInput("filter", "AND or OR of nothing")
	}
	for _, p := range parts {
		if err := checkNode(p); err != nil {
			return err
		}
	}
	return nil
}

// Passes reports whether a document with some metadata passes a filter, which may
// be nil.
func Passes(filter query.Node, metadata []byte) (bool, error) {
	if filter == nil {
		return true, nil
	}
	values, err := predicate.Values(metadata)
	if err != nil {
		return false, fmt.Errorf("reading the stored metadata: %w", err)
	}
	return predicate.Passes(filter, values), nil
}

// ReadOnly is the part of an engine.Collection that an attached store does not have.
type ReadOnly struct{}

var errAttached = fmt.Errorf("the store is somebody else's and only read: copy it with nsfl copy to have a collection that can be written to: %w", engine.ErrReadOnly)

// Encoder is not known.
func (ReadOnly) Encoder() string { return "" }

// Upsert refuses.
func (ReadOnly) Upsert(context.Context, []engine.Document) error { return errAttached }

// Delete refuses.
func (ReadOnly) Delete(context.Context, []string) (int, error) { return 0, errAttached }

// SetNotes refuses.
func (ReadOnly) SetNotes(context.Context, map[string]string) error { return errAttached }

// Notes are none.
func (ReadOnly) Notes(context.Context, string) (map[string]string, error) {
	return map[string]string{}, nil
}
