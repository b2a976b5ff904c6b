package index

import (
	"bufio"
	"context"
	"errors"
	"os"
)

// Compact writes the flat files anew without deleted documents, and centres
// Signs on the mean of all. Searches go on meanwhile; batches wait. Until it
// commits, the collection is as it was, whatever happens.
func (c *Collection) Compact(ctx context.Context) error {
	return c.writing(ctx, "compacting", func() error {
		s, err := c.latest(ctx)
		if err != nil {
			return err
		}
		defer c.release(s)
		if s.deaths == 0 && c.codes != Signs || s.slots == 0 {
			return nil
		}
		return c.compact(ctx, s, func(slot int) ([]uint16, error) { return s.pieces(slot), nil })
	})
}

// compact writes the files of the next epoch in the newest format, whatever that of
// the snapshot, and has the ledger adopt them. spell tells the pieces of the live
// slots, which it is asked for one after the other.
func (c *Collection) compact(ctx context.Context, s *snapshot, spell func(slot int) ([]uint16, error)) error {
	next := state{format: FormatVersion, epoch: s.epoch + 1, last: s.last}
	f, err := openFiles(c.place, c.shape, next, os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return errors.Join(explainOS("making the files", err), sweep(c.place, c.shape, s.epoch))
	}
	copied := newCopier(s, f, &next, spell)
	err = s.guard(func() error { return copied.run(ctx) })
	if err == nil {
		err = explainOS("writing the files", errors.Join(f.sync(), c.syncDir()))
	}
	err = errors.Join(err, f.close())
	if err == nil {
		err = c.transact(ctx, s, func(_ context.Context, b *batch) error { return b.adopt(next, copied.mean) })
	}
	if c.Spent() {
		return err
	}
	now, publishErr := c.latest(context.WithoutCancel(ctx))
	if publishErr != nil {
		return errors.Join(err, publishErr)
	}
	defer c.release(now)
	if err = errors.Join(err, sweep(c.place, c.shape, now.epoch)); err != nil {
		return err
	}
	return c.writer.shrink()
}

// shrink gives back to the disk what the ledger no longer uses.
func (w *writer) shrink() error {
	const doing = "shrinking the ledger"
	tx, err := w.ledger.db.Begin()
	if err != nil {
		return w.ledger.explain(doing, err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`PRAGMA incremental_vacuum`); err != nil {
		return w.ledger.explain(doing, err)
	}
	return saying(doing, w.commit(tx))
}

// adopt makes the ledger speak of the new files.
func (b *batch) adopt(next state, mean []float32) error {
	l := b.c.writer.ledger
	for _, text := range []string{
		`DELETE FROM entries WHERE ordinal IN (SELECT ordinal FROM tombstones)`,
		`DELETE FROM tombstones`,
		`DELETE FROM means`,
	} {
		if _, err := b.tx.Exec(text); err != nil {
			return l.explain("clearing the ledger", err)
		}
	}
	if b.format < next.format {
		if err := b.upgrade(); err != nil {
			return err
		}
	}
	if mean != nil {
		if err := b.writeMean(next.epoch, mean); err != nil {
			return err
		}
	}
	next.generation, next.documents = b.generation, b.documents
	b.state = next
	return nil
}

// copier writes the live documents of a snapshot to new files.
type copier struct {
	*snapshot
	next  *state
	spell func(slot int) ([]uint16, error)
	out   [fileKinds]*bufio.Writer
	mean  []float32 // of Signs, nil otherwise
	code  coder
}

func newCopier(s *snapshot, f files, next *state, spell func(slot int) ([]uint16, error)) *copier {
	c := &copier{snapshot: s, next: next, spell: spell, code: s.coder}
	for k, file := range f {
		c.out[k] = bufio.NewWriterSize(file, 1<<20)
	}
	return c
}

func (c *copier) run(ctx context.Context) error {
	if c.codes == Signs {
		m := newMean(c.dim)
		err := c.each(ctx, func(slot int) error {
			for row := c.first(slot); row < c.end(slot); row++ {
				m.add(c.vectors()[row*c.dim : (row+1)*c.dim])
			}
			return nil
		})
		if err != nil {
			return err
		}
		c.mean = m.value()
		if c.code, err = newCoder(c.shape, c.mean); err != nil {
			return err
		}
	}
	if err := c.each(ctx, c.copy); err != nil {
		return err
	}
	for _, w := range c.out {
		if err := w.Flush(); err != nil {
			return explainOS("writing the files", err)
		}
	}
	return nil
}

// each calls f for every live slot.
func (c *copier) each(ctx context.Context, f func(slot int) error) error {
	for slot := range c.snapshot.slots {
		if slot%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !c.dead.has(slot) {
			if err := f(slot); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *copier) copy(slot int) error {
	r, id := c.at(slot), c.id(slot)
	lo, hi, size := int(r.first), int(r.first)+int(r.rows), c.codeSize()
	vectors := c.vectors()[lo*c.dim : hi*c.dim]
	codes, scales := c.codeBytes()[lo*size:hi*size], c.scales()[lo:hi]
	if c.mean != nil {
		codes, scales = make([]byte, len(codes)), make([]float32, len(scales))
		for i := range scales {
			scales[i] = c.code.encode(codes[i*size:(i+1)*size], vectors[i*c.dim:(i+1)*c.dim])
		}
		r.sums[fileCodes], r.sums[fileScales] = checksum(codes), checksum(cast[byte](scales))
	}
	pieces, err := c.spell(slot)
	if err != nil {
		return err
	}
	if !c.spoken() {
		r.pieces, r.sums[fileWords] = uint32(len(pieces)), checksum(cast[byte](pieces))
	}
	r.first, r.idOffset, r.firstPiece = uint32(c.next.rows), uint64(c.next.idBytes), uint64(c.next.wordPieces)
	var b [recordSize]byte
	r.encode(b[:])
	for k, content := range [fileKinds][]byte{
		fileDocs: b[:], fileIDs: []byte(id), fileVectors: cast[byte](vectors), fileCodes: codes, fileScales: cast[byte](scales),
		fileWords: cast[byte](pieces),
	} {
		if _, err := c.out[k].Write(content); err != nil {
			return explainOS("writing the files", err)
		}
	}
	c.next.slots++
	c.next.rows += int(r.rows)
	c.next.idBytes += int64(len(id))
	c.next.wordPieces += int64(len(pieces))
	return nil
}
