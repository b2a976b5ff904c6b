package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

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

// String returns the checksum in hexadecimal.
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

// digests iterates over all documents of a store.
func digests(ctx context.Context, c engine.Collection, progress func(int)) iter.Seq2[string, result] {
	return func(yield func(string, result) bool) {
		n := 0
		for d, err := range engine.All(ctx, c, engine.Page{Limit: page, Parts: engine.AllParts}) {
			r := result{err: err}
			if err == nil {
				r.digest, r.err = digest(&d)
			}
			if !yield(d.ID, r) || r.err != nil {
				return
			}
			if n++; progress != nil {
				progress(n)
			}
		}
	}
}

// result is the digest of a document, or the error that prevented it.
type result struct {
	digest [sha256.Size]byte
	err    error
}

// Checksum reads all documents of a store. If progress is not nil, it is called with their
// number.
func Checksum(ctx context.Context, c engine.Collection, progress func(documents int)) (Sum, error) {
	var s Sum
	for _, r := range digests(ctx, c, progress) {
		if r.err != nil {
			return s, r.err
		}
		s.add(r.digest)
	}
	return s, nil
}

// shownIDs is the number of ids of each kind that a DifferenceError lists.
const shownIDs = 5

// DifferenceError means that a target differs from its source. It lists the first ids in
// order.
type DifferenceError struct {
	Source, Target Sum
	Missing        []string // in the target
	Extra          []string // in the target alone
	Different      []string
	counts         [3]int
}

func (e *DifferenceError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the source has %d documents, the target %d", e.Source.Documents, e.Target.Documents)
	for i, kind := range []struct {
		what string
		ids  []string
	}{{"missing in the target", e.Missing}, {"in the target alone", e.Extra}, {"different", e.Different}} {
		if len(kind.ids) == 0 {
			continue
		}
		fmt.Fprintf(&b, "; %s: %q", kind.what, kind.ids)
		if more := e.counts[i] - len(kind.ids); more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
	}
	return b.String()
}

// Compare reads all documents of two stores. It returns a *DifferenceError unless they are the
// same. If progress is not nil, it is called with the number of documents read.
func Compare(ctx context.Context, from, to engine.Collection, progress func(documents int)) (Sum, error) {
	source, err := Checksum(ctx, from, progress)
	if err != nil {
		return source, err
	}
	target, err := Checksum(ctx, to, func(n int) {
		if progress != nil {
			progress(source.Documents + n)
		}
	})
	if err != nil {
		return source, err
	}
	if source == target {
		return source, nil
	}
	return source, differences(ctx, from, to, source, target)
}

// differences reads both once more to name what differs.
func differences(ctx context.Context, from, to engine.Collection, source, target Sum) error {
	there := map[string][sha256.Size]byte{}
	for id, r := range digests(ctx, from, nil) {
		if r.err != nil {
			return r.err
		}
		there[id] = r.digest
	}
	e := &DifferenceError{Source: source, Target: target}
	for id, r := range digests(ctx, to, nil) {
		if r.err != nil {
			return r.err
		}
		switch d, ok := there[id]; {
		case !ok:
			e.Extra = append(e.Extra, id)
		case d != r.digest:
			e.Different = append(e.Different, id)
		}
		delete(there, id)
	}
	e.Missing = slices.Collect(maps.Keys(there))
	for i, ids := range []*[]string{&e.Missing, &e.Extra, &e.Different} {
		e.counts[i] = len(*ids)
		slices.Sort(*ids)
		*ids = (*ids)[:min(shownIDs, len(*ids))]
	}
	return e
}
