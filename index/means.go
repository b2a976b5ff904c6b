package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
)

// readMean reads the mean that the codes of an epoch are centred on.
func (l *ledger) readMean(ctx context.Context, q queryer, epoch, dim int) ([]float32, error) {
	var b []byte
	var sum int64
	err := q.QueryRowContext(ctx, `SELECT mean, checksum FROM means WHERE epoch = ?`, epoch).Scan(&b, &sum)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && len(b) != 4*dim:
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("no mean of dimension %d for the codes", dim)}}
	case err == nil && sum != int64(meanSum(epoch, b)):
		err = &DamageError{l.dir, Damage{File: ledgerName, Problem: "the checksum of the mean of the codes does not match"}}
	}
	if err != nil {
		return nil, l.explain("reading the mean of the codes", err)
	}
	mean := make([]float32, dim)
	copy(cast[byte](mean), b)
	return mean, nil
}

func meanSum(epoch int, mean []byte) uint32 { return textSum(strconv.Itoa(epoch), string(mean)) }

// writeMean stores the mean that the codes of an epoch are centred on.
func (b *batch) writeMean(epoch int, mean []float32) error {
	_, err := b.tx.Exec(`INSERT OR REPLACE INTO means (epoch, mean, checksum) VALUES (?, ?, ?)`, epoch, cast[byte](mean), meanSum(epoch, cast[byte](mean)))
	return b.c.writer.ledger.explain("writing the mean of the codes", err)
}
