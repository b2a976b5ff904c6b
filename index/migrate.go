package index

import (
	"cmp"
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/words"
)

// migrate upgrades a collection to the newest format. The collection is unchanged until
// the ledger commits. From format 1 it runs a compaction that computes the word pieces
// from the texts in the ledger, so there is only one way to rewrite files. From format 2
// only the ledger changes. There is no other writer; readers continue.
func (c *Collection) migrate(ctx context.Context, v *view) error {
	if v.format == FormatVersion {
		return nil
	}
	doing := fmt.Sprintf("migrating from format %d to %d", v.format, FormatVersion)
	if v.hasWords() {
		return annotate(doing, c.commit(ctx, func(_ context.Context, b *batch) error { return b.upgrade() }))
	}
	read, err := v.reader(ctx, engine.Titles|engine.Texts)
	if err = c.ledger.classify(err); err == nil {
		s := &speller{view: v, read: read}
		err = c.compact(ctx, v.snapshot, func(_ *snapshot, slot int) ([]uint16, error) {
			pieces, err := s.spell(ctx, slot)
			return pieces, c.ledger.classify(err)
		})
	}
	return annotate(doing, err)
}

// speller computes the word pieces of documents from their texts, many documents at a
// time to use all cores.
type speller struct {
	*view
	read func(slot int) (engine.Document, error)

	first int        // slot of ahead[0]
	ahead [][]uint16 // pieces of the slots from first on; empty for dead documents
}

// spell returns the pieces of a slot. Slots must be requested in order.
func (s *speller) spell(ctx context.Context, slot int) ([]uint16, error) {
	if slot >= s.first+len(s.ahead) {
		if err := s.readAhead(ctx, slot); err != nil {
			return nil, err
		}
	}
	return s.ahead[slot-s.first], nil
}

// readAhead computes the pieces of the documents from a slot on, up to a limit of
// documents and bytes.
func (s *speller) readAhead(ctx context.Context, from int) error {
	const documents, bytes = 1024, 16 << 20
	var texts [][]string
	for size := 0; len(texts) < documents && size < bytes && from+len(texts) < s.slots; {
		slot := from + len(texts)
		if s.dead.has(slot) {
			texts = append(texts, nil)
			continue
		}
		d, err := s.read(slot)
		if err != nil {
			// After cancellation, err only reports that the transaction is over.
			return cmp.Or(ctx.Err(), err)
		}
		texts = append(texts, d.Segments())
		size += len(d.Title) + len(d.Text)
		for _, p := range d.Passages {
			size += len(p.Text)
		}
	}
	s.first, s.ahead = from, make([][]uint16, len(texts))
	return workers.Each(ctx, len(texts), cores(), func(_ context.Context, i int) error {
		s.ahead[i] = words.Pieces(texts[i])
		return nil
	})
}
