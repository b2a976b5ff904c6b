package index

import (
	"context"

	"github.com/nsfl-go/nsfl/engine"
)

// SetQuota bounds what batches may make of the collection, from the next one on. It is
// not kept: whoever opens the collection sets it. A batch that would go beyond it is an
// *engine.QuotaError; one that replaces documents may have as many as before.
func (c *Collection) SetQuota(q engine.Quota) { c.quota.Store(&q) }

// Quota is what was set.
func (c *Collection) Quota() engine.Quota {
	if q := c.quota.Load(); q != nil {
		return *q
	}
	return engine.Quota{}
}

// ledgerBytes are those of the ledger's file, as a transaction sees it.
const ledgerBytes = `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`

// checkQuota refuses a batch that is complete but for its commit.
func (b *batch) checkQuota(ctx context.Context, stored int) error {
	q := b.c.Quota()
	before := b.before.live()
	if now := before + stored - b.tombstoned; q.Documents > 0 && now > q.Documents && now > before {
		return &engine.QuotaError{What: "documents", Limit: int64(q.Documents), Would: int64(now)}
	}
	if q.Bytes == 0 {
		return nil
	}
	var bytes int64
	if err := b.tx.QueryRowContext(ctx, ledgerBytes).Scan(&bytes); err != nil {
		return b.c.writer.ledger.explain("reading the size of the ledger", err)
	}
	for _, n := range b.c.lengths(b.state) {
		bytes += n
	}
	if bytes > q.Bytes {
		return &engine.QuotaError{What: "bytes", Limit: q.Bytes, Would: bytes}
	}
	return nil
}
