package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// Repaired is what Repair has saved.
type Repaired struct {
	Documents int      // in the new collection
	Texts     int      // documents that were given to texts, without vectors
	Notes     int      // in the new collection
	Lost      []Damage // what could not be saved, or cannot be trusted to be all

	from place
	to   string
	seen string // what there was to repair
}

// Repair saves what can be saved of a damaged collection to a new one in a directory
// that does not exist yet, and leaves the damaged one as it is. Everything is judged by
// its own checksum, so that one bad byte costs no more than what it is in. A document
// whose text is whole and whose vectors are not is given to texts, without vectors and
// with what is wrong, to be encoded again. The new collection appears when it is complete and Verify finds
// nothing in it.
func Repair(ctx context.Context, dir, to string, texts func(d engine.Document, problem string) error) (*Repaired, error) {
	r, err := repair(ctx, dir, to, texts)
	return r, saying("repairing "+dir, err)
}

func repair(ctx context.Context, dir, to string, texts func(d engine.Document, problem string) error) (_ *Repaired, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if to, err = filepath.Abs(to); err != nil {
		return nil, err
	}
	p := at(dir)
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return nil, engine.BadInput(to, "it exists already; save to a directory that does not")
	}
	free, err := p.hold()
	if err != nil {
		return nil, err
	}
	defer free()
	w, err := openSalvage(p)
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.report.from, w.report.to = p, to
	if w.report.seen, err = p.seen(); err != nil {
		return nil, err
	}
	partial, err := os.MkdirTemp(filepath.Dir(to), filepath.Base(to)+".partial-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(partial)
	if err := w.saveTo(ctx, filepath.Join(partial, "c"), texts); err != nil {
		return nil, err
	}
	report, err := Verify(ctx, filepath.Join(partial, "c"))
	if err == nil && len(report.Damage) > 0 {
		err = fmt.Errorf("what was saved is itself damaged (%v): the disk may be failing", report.Damage[0])
	}
	if err != nil {
		return nil, err
	}
	return w.report, errors.Join(p.disk.Rename(filepath.Join(partial, "c"), to), p.disk.SyncDir(filepath.Dir(to)))
}

// hold keeps others from writing until it is freed. It changes nothing.
func (p place) hold() (free func(), err error) {
	f, err := p.lock(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}

// Replace puts the new collection in the place of the damaged one, unless that was
// written to meanwhile, and keeps the damaged one under another name beside it. That
// name is returned.
func (r *Repaired) Replace() (aside string, err error) {
	p := r.from
	aside, err = p.replace(r.to, r.seen)
	return aside, saying("replacing "+p.dir, err)
}

func (p place) replace(by, seen string) (aside string, err error) {
	free, err := p.hold()
	if err != nil {
		return "", err
	}
	defer free()
	if now, err := p.seen(); err != nil || now != seen {
		return "", cmp.Or(err, fmt.Errorf("it was written to since; what was saved is in %s, and has to be saved again", by))
	}
	aside = p.dir + ".damaged"
	for n := 2; ; n++ {
		if _, err := p.disk.Stat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.damaged-%d", p.dir, n)
	}
	if err := p.disk.Rename(p.dir, aside); err != nil {
		return "", err
	}
	if err := p.disk.Rename(by, p.dir); err != nil {
		return "", errors.Join(err, p.disk.Rename(aside, p.dir))
	}
	return aside, p.disk.SyncDir(filepath.Dir(p.dir))
}

// seen tells whether a collection was written to, by the lengths and times of its files.
func (p place) seen() (string, error) {
	var all strings.Builder
	entries, err := p.disk.ReadDir(p.dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return "", err
		}
		if info.Size() > 0 && e.Name() != ledgerName+"-shm" { // readers make these
			fmt.Fprintln(&all, e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return all.String(), err
}

// saveTo makes a collection of what is whole.
func (w *salvage) saveTo(ctx context.Context, to string, texts func(d engine.Document, problem string) error) error {
	c, err := Create(ctx, to, Options{Dimension: w.dim, Codes: w.codes, Encoder: w.encoder})
	if err != nil {
		return err
	}
	err = w.fill(ctx, c, texts)
	return errors.Join(err, c.Close())
}

func (w *salvage) fill(ctx context.Context, c *Collection, texts func(d engine.Document, problem string) error) error {
	s := &saver{salvage: w, c: c, texts: texts}
	if err := s.documents(ctx); err != nil {
		return err
	}
	notes := w.notes()
	if err := c.SetNotes(ctx, notes); err != nil {
		return err
	}
	w.report.Notes = len(notes)
	return c.Compact(ctx) // Signs are centred on the mean of all
}
