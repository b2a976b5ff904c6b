package index

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// File is one file of a consistent copy of a collection.
type File struct {
	Name   string
	Length int64
	// Grows reports that earlier copies of a file with this name are prefixes of this
	// one.
	Grows     bool
	io.Reader // yields Length bytes; valid until the next file is passed
}

// Holds reports whether dir looks like a collection directory, without opening any file.
func Holds(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, ledgerName))
	return err == nil && info.Mode().IsRegular()
}

// IsFile reports whether name is a valid name for a file of a collection.
func IsFile(name string) bool { return name == ledgerName || flatName.MatchString(name) }

// Files calls give for each file of the collection, all as of one moment during the call,
// together with the stats of that moment. Batches, compactions and searches continue
// meanwhile. The ledger comes first: while it is being read, its log cannot be
// checkpointed. Ledger pages keep their positions from one call to the next and the other
// files only grow until a Compact, so incremental backups find most bytes unchanged.
func (c *Collection) Files(ctx context.Context, give func(Stats, File) error) error {
	return c.call("reading the files", func() error { return c.ledger.classify(c.give(ctx, give)) })
}

func (c *Collection) give(ctx context.Context, give func(Stats, File) error) error {
	v, err := c.view(ctx)
	if err != nil {
		return err
	}
	defer v.release()
	stats := v.stats(c.settings)
	err = v.giveLedger(ctx, func(f File) error { return give(stats, f) })
	s := v.detach()
	lengths := s.lengths(s.state)
	for k := range fileKinds {
		if err != nil {
			return err
		}
		from := io.NewSectionReader(s.maps[k].file, 0, lengths[k])
		err = give(stats, File{s.fileName(k, s.epoch), lengths[k], true, &cancelled{ctx, from}})
	}
	return err
}

// giveLedger streams the ledger page by page as the transaction sees it, combining the
// log and the file.
func (v *view) giveLedger(ctx context.Context, give func(File) error) error {
	var pages, size int64
	if err := v.tx.QueryRowContext(ctx, `SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()`).Scan(&pages, &size); err != nil {
		return err
	}
	rows, err := v.tx.QueryContext(ctx, `SELECT data FROM sqlite_dbpage ORDER BY pgno`)
	if err != nil {
		return err
	}
	defer rows.Close()
	return errors.Join(give(File{ledgerName, pages * size, false, &pageReader{rows: rows}}), rows.Err())
}

// pageReader concatenates the pages returned by a query.
type pageReader struct {
	rows *sql.Rows
	page []byte
}

func (r *pageReader) Read(b []byte) (int, error) {
	for len(r.page) == 0 {
		if !r.rows.Next() {
			if err := r.rows.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		if err := r.rows.Scan(&r.page); err != nil {
			return 0, err
		}
	}
	n := copy(b, r.page)
	r.page = r.page[n:]
	return n, nil
}

// cancelled is a reader that fails once its context is done.
type cancelled struct {
	ctx context.Context
	io.Reader
}

func (r *cancelled) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}
