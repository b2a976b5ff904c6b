package index

import (
	"context"
	"fmt"
)

// Quota is how much a collection may hold; 0 is any number.
type Quota struct {
	Documents int
	Bytes     int64 // of its files, including deleted documents until it is compacted
}

// QuotaError means that a batch was not stored because the collection would exceed its quota.
type QuotaError struct {
	What         string // documents or bytes
	Limit, Would int64
}

func (e *QuotaError) Error() string {
	advice := "delete documents"
	if e.What == "bytes" {
		advice += " and compact the collection"
	}
	return fmt.Sprintf("the batch was not stored: the collection may have %d %s and would have %d; %s, or raise the quota", e.Limit, e.What, e.Would, advice)
}

// SetQuota limits the collection from the next batch on. The quota is not stored; set it
// again after opening. A batch that would exceed it fails with *QuotaError, but a
// batch that replaces documents may keep the current number.
func (c *Collection) SetQuota(q Quota) { c.quota.Store(&q) }

// Quota returns the current quota.
func (c *Collection) Quota() Quota {
	if q := c.quota.Load(); q != nil {
		return *q
	}
	return Quota{}
}

// ledgerBytes selects the size of the ledger's file as the transaction sees it.
const ledgerBytes = `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`

// checkQuota rejects a batch just before its commit.
func (b *batch) checkQuota(ctx context.Context, stored int) error {
	q := b.c.Quota()
	before := b.before.live()
	if now := before + stored - b.tombstoned; q.Documents > 0 && now > q.Documents && now > before {
		return &QuotaError{What: "documents", Limit: int64(q.Documents), Would: int64(now)}
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
		return &QuotaError{What: "bytes", Limit: q.Bytes, Would: bytes}
	}
	return nil
}
