package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
)

// Sum is a checksum of documents that does not depend on their order: the sum of
// the sha256 of each, word by word.
type Sum struct {
	Documents int
	words     [4]uint64
}

func (s *Sum) add(digest [sha256.Size]byte) {
	s.Documents++
	for i := range s.words {
		s.words[i] += binary.BigEndian.Uint64(digest[8*i:])
	}
}

func (s Sum) String() string {
	var raw []byte
	for _, w := range s.words {
		raw = binary.BigEndian.AppendUint64(raw, w)
	}
	return hex.EncodeToString(raw)
}

// digest returns the SHA-256 of a document: of its texts, each with its length, the places of
// its passages, its canonical metadata, and the bits of its vectors.
func digest(d *engine.Document) ([sha256.Size]byte, error) {
	metadata, err := canonical(d.Metadata)
	if err != nil {
		return [sha256.Size]byte{}, fmt.Errorf("reading the metadata of document %q: %w", d.ID, err)
	}
	var b []byte
	text := func(s string) { b = append(binary.BigEndian.AppendUint64(b, uint64(len(s))), s...) }
	vector := func(v []float32) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(v)))
		for _, x := range v {
			b = binary.BigEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	text(d.ID)
	text(d.Title)
	text(d.Text)
	text(metadata)
	vector(d.Vector)
	b = binary.BigEndian.AppendUint64(b, uint64(len(d.Passages)))
	for _, p := range d.Passages {
		text(p.Text)
		text(p.Place.Heading)
		b = binary.BigEndian.AppendUint64(b, uint64(p.Place.Page))
		b = binary.BigEndian.AppendUint64(b, uint64(p.Place.Line))
		vector(p.Vector)
	}
	return sha256.Sum256(b), nil
}

// canonical returns JSON with sorted fields and without white space, so equal values have equal texts.
func canonical(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	out, err := json.Marshal(v) // fields of objects come in order
	return string(out), err
}

// Checksum reads all documents of a store. It calls progress after each.
func Checksum(ctx context.Context, c engine.Collection, progress func()) (s Sum, err error) {
	for d, err := range engine.All(ctx, c, engine.Page{Limit: page, Parts: engine.AllParts}) {
		if err != nil {
			return s, err
		}
		sum, err := digest(&d)
		if err != nil {
			return s, err
		}
		s.add(sum)
		progress()
	}
	return s, nil
}

// DifferenceError means that a target differs from its source.
type DifferenceError struct{ Source, Target Sum }

func (e *DifferenceError) Error() string {
	if e.Source.Documents != e.Target.Documents {
		return fmt.Sprintf("the source has %d documents, the target %d", e.Source.Documents, e.Target.Documents)
	}
	return fmt.Sprintf("both have %d documents, but some differ", e.Source.Documents)
}

// Compare reads all documents of two stores and calls progress after each. It returns a
// *DifferenceError unless they are the same.
func Compare(ctx context.Context, from, to engine.Collection, progress func()) (Sum, error) {
	source, err := Checksum(ctx, from, progress)
	if err != nil {
		return source, err
	}
	target, err := Checksum(ctx, to, progress)
	if err == nil && source != target {
		err = &DifferenceError{source, target}
	}
	return source, err
}
