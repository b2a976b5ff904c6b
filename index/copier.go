package index

import (
	"bufio"
	"context"
)

// copier writes the live documents of a snapshot to new files, then all later documents.
type copier struct {
	*snapshot // the source, valid for one call
	next      *state
	done      int // slots copied or skipped
	out       [fileKinds]*bufio.Writer
}

func newCopier(s *snapshot, f files, next *state) *copier {
	c := &copier{snapshot: s, next: next}
	for k, file := range f {
		c.out[k] = bufio.NewWriterSize(file, 1<<20)
	}
	return c
}

// run copies the live documents of the snapshot.
func (c *copier) run(ctx context.Context, before func(slot int) error) error {
	for slot := range c.slots {
		if slot%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c.dead.has(slot) {
			continue
		}
		if err := before(slot); err != nil {
			return err
		}
		if err := c.copy(slot); err != nil {
			return err
		}
	}
	c.done = c.slots
	return c.flush()
}

// follow copies the slots added since, from a later snapshot of the same epoch.
func (c *copier) follow(ctx context.Context, now *snapshot) error {
	c.snapshot = now
	return now.guard(func() error {
		for ; c.done < now.slots; c.done++ {
			if c.done%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := c.copy(c.done); err != nil {
				return err
			}
		}
		return c.flush()
	})
}

func (c *copier) flush() error {
	for _, w := range c.out {
		if err := w.Flush(); err != nil {
			return explainOS("writing the files", err)
		}
	}
	return nil
}

func (c *copier) copy(slot int) error {
	r, id := c.at(slot), c.id(slot)
	lo, hi := int(r.first), int(r.first)+int(r.rows)
	vectors := c.vectors()[lo*c.dim : hi*c.dim]
	codes, scales := c.codeBytes()[lo*c.dim:hi*c.dim], c.scales()[lo:hi]
	pieces := c.pieces(slot)
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
