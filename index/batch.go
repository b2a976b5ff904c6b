package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine"
)

// batch is a transaction in progress.
type batch struct {
	*statements
	c          *Collection
	before     *snapshot
	state          // state after the batch
	tombstoned int // documents deleted or replaced by the batch
}

func (b *batch) remove(ctx context.Context, ids []string) (deleted int, err error) {
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		found, err := b.tombstone(id)
		if err != nil {
			return 0, err
		}
		if found {
			deleted++
		}
	}
	return deleted, nil
}

// tombstone deletes a document and leaves a tombstone.
func (b *batch) tombstone(id string) (found bool, err error) {
	var old Ordinal
	var sum uint32
	err = b.deleteDocument.QueryRow(id).Scan(&old, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		_, err = b.insertTombstone.Exec(b.generation, old)
		b.tombstoned++
		b.documents -= itemSum(uint64(old), uint64(sum))
		b.tombstones += itemSum(uint64(b.generation), uint64(old))
	}
	return true, b.c.writer.ledger.explain(fmt.Sprintf("deleting %q", id), err)
}

// store appends documents to the files and writes them to the ledger, concurrently. The
// files are synced before store returns.
func (b *batch) store(ctx context.Context, docs []engine.Document) error {
	rows := 0
	for i := range docs {
		rows += docs[i].Rows()
	}
	if int64(b.rows)+int64(rows) > maxRows || uint64(b.last)+uint64(len(docs)) > math.MaxUint32 {
		return engine.BadInput("the batch", "the collection would exceed 2³² vectors or document versions")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	pieces, done := make(chan *piece, 1), make(chan error, 1)
	go func() { done <- b.c.writer.append(pieces, cancel) }()
	err := b.storePieces(ctx, docs, pieces)
	close(pieces)
	if appendErr := <-done; appendErr != nil {
		return explainOS("writing the files", appendErr)
	}
	return err
}

// storePieces encodes documents into pieces, sends them to the file writer and writes
// their rows to the ledger.
func (b *batch) storePieces(ctx context.Context, docs []engine.Document, pieces chan<- *piece) error {
	const size = 1024 // documents per piece: keeps all cores busy, small enough to hold two in memory
	for at := 0; at < len(docs); at += size {
		p, err := newPiece(ctx, docs[at:min(at+size, len(docs))], at, b.c.shape, b.state)
		if err != nil {
			return err
		}
		select {
		case pieces <- p:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		for i := range p.docs {
			if i%64 == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := b.insert(&p.docs[i], &p.bodies[i]); err != nil {
				return b.c.writer.ledger.explain(fmt.Sprintf("writing %q", p.docs[i].ID), err)
			}
		}
		p.after.totals = b.totals
		b.state = p.after
	}
	return nil
}

// insert writes one document, replacing any document with the same id.
func (b *batch) insert(d *engine.Document, body *body) error {
	for {
		result, err := b.insertDocument.Exec(body.ordinal, d.ID, d.Title, d.Text, body.passages, body.metadata, body.checksum)
		if err != nil {
			return err
		}
		inserted, err := result.RowsAffected()
		if err != nil {
			return err
		}
		if inserted > 0 {
			b.documents += itemSum(uint64(body.ordinal), uint64(body.checksum))
			break
		}
		// Looking up the id first would cost every new document a query.
		if _, err := b.tombstone(d.ID); err != nil {
			return err
		}
	}
	for _, e := range body.entries {
		if _, err := b.insertEntry.Exec(e.field, e.value, body.ordinal, e.text); err != nil {
			return err
		}
	}
	return nil
}
