package index

import (
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// Ordinal identifies one version of a document within a collection: replacing a document
// assigns a new ordinal, and none is reused. The first is 1. Ordinals increase over time,
// and break ties between equal similarities, lower first. They are the numbers of Refs.
type Ordinal uint32

func refOf(o Ordinal) engine.Ref { return engine.Ref{Number: uint64(o)} }

// ordinalOf returns the ordinal of a Ref. A Ref of another store maps to no document, or
// to an unrelated one.
func ordinalOf(r engine.Ref) Ordinal { return Ordinal(r.Number) }

// entry is one metadata value of a document as the ledger stores it.
type entry struct {
	field string
	value any    // float64 or string
	text  string // a number as it was written
}

func entriesOf(metadata []byte) ([]entry, error) {
	values, err := predicate.Values(metadata)
	if err != nil {
		return nil, err
	}
	entries := make([]entry, len(values))
	for i, v := range values {
		entries[i] = entry{v.Field, v.Text, ""}
		if v.IsNumber {
			entries[i] = entry{v.Field, v.Number, v.Text}
		}
	}
	return entries, nil
}
