package remote

import "github.com/nsfl-go/nsfl/engine"

// long are the parts that may be long: few documents are requested at once with them.
const long = engine.Titles | engine.Texts | engine.Metadata | engine.PassageVectors

// The number of documents with long parts that are requested at once: a few, then as many
// as should fill a portion, judging by those before.
const firstPiece, largestPiece = 16, 512

// Portion reads documents piece by piece until the portion is full. The function read returns
// one document for each that it is given.
func Portion[T any](portion *engine.Portion, wanted []T, parts engine.Parts, read func([]T) ([]engine.Document, error)) (docs []engine.Document, err error) {
	piece := len(wanted)
	if parts.Has(long) {
		piece = firstPiece
	}
	all := portion.Left()
	for full := false; len(docs) < len(wanted) && !full; {
		more, err := read(wanted[len(docs):min(len(docs)+piece, len(wanted))])
		if err != nil {
			return nil, err
		}
		docs, full = append(docs, more...), portion.Add(more...)
		left := max(0, portion.Left())
		piece = min(4*piece, largestPiece, 1+left*len(docs)/max(1, all-left))
	}
	return docs, nil
}
