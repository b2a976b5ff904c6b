package index

import (
	"context"
	"fmt"
)

// upgrade adds the columns of the newest format to an older ledger and computes the
// checksums of its rows.
func (b *batch) upgrade() error {
	columns := []string{
		`ALTER TABLE settings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`,
		`ALTER TABLE means ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`,
		`ALTER TABLE notes ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`,
		`ALTER TABLE state ADD COLUMN tombstone_sum INTEGER NOT NULL DEFAULT 0`,
		`ALTER TABLE state ADD COLUMN document_sum INTEGER NOT NULL DEFAULT 0`,
		`ALTER TABLE state ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`,
		fmt.Sprintf(`UPDATE settings SET value = %d WHERE name = 'format'`, FormatVersion),
	}
	if !b.hasWords() {
		columns = append(columns, `ALTER TABLE state ADD COLUMN word_pieces INTEGER NOT NULL DEFAULT 0`)
	}
	l := b.c.writer.ledger
	for _, text := range columns {
		if _, err := b.tx.Exec(text); err != nil {
			return l.explain("writing the format", err)
		}
	}
	for _, table := range []struct{ name, key, value string }{
		{"settings", "name", "CAST(value AS TEXT)"}, {"notes", "name", "value"}, {"means", "epoch", "mean"},
	} {
		if err := b.sumTexts(table.name, table.key, table.value); err != nil {
			return l.explain("writing the checksums of the "+table.name, err)
		}
	}
	b.format = FormatVersion
	var err error
	if b.totals, err = readTotals(context.Background(), b.tx); err != nil {
		return l.explain("reading the ledger", err)
	}
	return nil
}

// sumTexts writes the checksums of a table of key-value rows.
func (b *batch) sumTexts(table, key, value string) error {
	sums := map[string]uint32{}
	var name, text string
	err := eachRow(context.Background(), b.tx, []any{&name, &text}, func() { sums[name] = textSum(name, text) },
		fmt.Sprintf(`SELECT %s, %s FROM %s`, key, value, table))
	if err != nil {
		return err
	}
	for name, sum := range sums {
		if _, err := b.tx.Exec(fmt.Sprintf(`UPDATE %s SET checksum = ? WHERE %s = ?`, table, key), sum, name); err != nil {
			return err
		}
	}
	return nil
}

// readTotals computes the totals of the rows in the ledger.
func readTotals(ctx context.Context, q queryer) (t totals, err error) {
	var x, y int64
	err = eachRow(ctx, q, []any{&x, &y}, func() { t.documents += itemSum(uint64(x), uint64(y)) }, `SELECT ordinal, checksum FROM documents`)
	if err != nil {
		return t, err
	}
	err = eachRow(ctx, q, []any{&x, &y}, func() { t.tombstones += itemSum(uint64(x), uint64(y)) }, `SELECT generation, ordinal FROM tombstones`)
	return t, err
}
