package remote

import "github.com/nsfl-go/nsfl/engine"

// long are the parts of documents that may be, so that few documents are asked for at
// once.
const long = engine.Titles | engine.Texts | engine.Metadata | engine.PassageVectors

// How many documents with long parts are asked for at once: some, and then as many as
// should be a portion, going by those before.
const firstPiece, largestPiece = 16, 512

// Portion reads the wanted parts of documents, piece by piece, until there is a portion of
// them. For each document that is asked for, read gives one.
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
