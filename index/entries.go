package index

import "github.com/nsfl-go/nsfl/engine"

// Ordinal names one version of a document within a collection: a document that
// is replaced gets a new one, and none is used twice. The first is 1. Ordinals
// grow with time, and equal similarities are ranked by them, the lower first. They
// are the numbers of Refs.
type Ordinal uint32

// refOf is the Ref of an ordinal.
func refOf(o Ordinal) engine.Ref { return engine.Ref{Number: uint64(o)} }

// ordinalOf is the ordinal of a Ref. The Refs of other stores become those of no
// document, or of one that has nothing to do with them.
func ordinalOf(r engine.Ref) Ordinal { return Ordinal(r.Number) }

// entry is a value of a field of a document's metadata as the ledger keeps it.
type entry struct {
	field string
	value any    // float64 or string
	text  string // of a number: as it was written
}

// entriesOf reads metadata.
func entriesOf(metadata []byte) ([]entry, error) {
	values, err := engine.Values(metadata)
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
