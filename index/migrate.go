package index

import (
	"cmp"
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/words"
)

// migrate brings a collection of an older format to the newest: until the ledger
// commits, format and all, the collection is what it was. From format 1 it is a
// compaction that makes the pieces of words from the texts in the ledger, so that there
// is one way to write files anew; from format 2 the ledger alone changes. Nobody else
// writes; readers go on.
func (c *Collection) migrate(ctx context.Context, v *view) error {
	if v.format == FormatVersion {
		return nil
	}
	doing := fmt.Sprintf("migrating from format %d to %d", v.format, FormatVersion)
	if v.spoken() {
		return saying(doing, c.commit(ctx, func(_ context.Context, b *batch) error { return b.upgrade() }))
	}
	read, err := v.reader(ctx, engine.Titles|engine.Texts)
	if err = c.ledger.known(err); err == nil {
		s := &speller{view: v, read: read}
		err = c.compact(ctx, v.snapshot, func(_ *snapshot, slot int) ([]uint16, error) {
			pieces, err := s.spell(ctx, slot)
			return pieces, c.ledger.known(err)
		})
	}
	return saying(doing, err)
}

// speller makes the pieces of documents' words from their texts, of many documents at
// once so that all cores have something to do.
type speller struct {
	*view
	read func(slot int) (engine.Document, error)

	first int        // the slot that ahead begins with
	ahead [][]uint16 // of the slots from first on; nothing of the dead
}

// spell is asked for slots in their order.
func (s *speller) spell(ctx context.Context, slot int) ([]uint16, error) {
	if slot >= s.first+len(s.ahead) {
		if err := s.readAhead(ctx, slot); err != nil {
			return nil, err
		}
	}
	return s.ahead[slot-s.first], nil
}

// readAhead spells the documents from a slot on, up to a number and an amount of text.
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
			// Of a transaction that was cancelled, this says only that it is over.
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
