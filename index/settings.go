package index

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
)

// settings are fixed when a collection is created.
type settings struct {
	shape
	encoder string
}

// initialize creates the tables and writes the settings in one transaction.
func (l *ledger) initialize(ctx context.Context, s settings) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	for name, value := range map[string]any{
		"format": FormatVersion, "metric": metric, "dimension": s.dim, "encoder": s.encoder,
	} {
		if _, err := tx.ExecContext(ctx, `INSERT INTO settings VALUES (?, ?, ?)`, name, value, textSum(name, fmt.Sprint(value))); err != nil {
			return err
		}
	}
	if err := (state{format: FormatVersion, generation: 1, epoch: 1}).write(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// readSettings returns ErrNotCollection if there are no settings.
func (l *ledger) readSettings(ctx context.Context) (settings, error) {
	var s settings
	if found, err := l.checkSchema(ctx); err != nil || !found {
		return s, cmp.Or(err, engine.ErrNotCollection)
	}
	values, sums := map[string]string{}, map[string]int64{}
	var name, value string
	var sum int64
	err := eachRow(ctx, l.db, []any{&name, &value, &sum}, func() { values[name], sums[name] = value, sum }, `SELECT name, CAST(value AS TEXT), checksum FROM settings`)
	if err != nil {
		return s, l.explain("reading the settings", err)
	}
	s, err = l.parseSettings(values)
	if err == nil {
		err = l.checkSettings(values, sums)
	}
	return s, err
}

func (l *ledger) checkSettings(values map[string]string, sums map[string]int64) error {
	for name, value := range values {
		if sums[name] != int64(textSum(name, value)) {
			return &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("the checksum of setting %q does not match", name)}}
		}
	}
	if _, ok := values["encoder"]; !ok || len(values) != 4 {
		return &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("there are %d settings, not 4", len(values))}}
	}
	return nil
}

// textSum returns the checksum of a named text.
func textSum(name, text string) uint32 { return crcString(crcString(0, name), text) }

func (l *ledger) parseSettings(values map[string]string) (settings, error) {
	damaged := func(name string) error {
		return &DamageError{l.dir, Damage{File: ledgerName, Problem: fmt.Sprintf("setting %s is %q", name, values[name])}}
	}
	var s settings
	format, err := strconv.Atoi(values["format"])
	if err != nil || format < FormatVersion {
		return s, damaged("format")
	}
	if err := l.checkFormat(format); err != nil {
		return s, err
	}
	if values["metric"] != metric {
		return s, damaged("metric")
	}
	s.encoder = values["encoder"]
	if s.dim, err = strconv.Atoi(values["dimension"]); err != nil || s.dim < 1 || s.dim > engine.MaxDimension {
		return s, damaged("dimension")
	}
	return s, nil
}

func (l *ledger) checkFormat(format int) error {
	if format > FormatVersion {
		return &engine.FormatError{Dir: l.dir, Found: format, Supported: FormatVersion}
	}
	return nil
}
