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

// Repaired reports what Repair recovered.
type Repaired struct {
	Documents int      // in the new collection
	Texts     int      // documents passed to texts, without vectors
	Notes     int      // in the new collection
	Lost      []Damage // what could not be recovered, or may be incomplete

	from place
	to   string
	seen string // fingerprint of the damaged collection
}

// Repair recovers what it can from a damaged collection into a new one in to, which must
// not exist, and leaves the damaged one unchanged. Each part is judged by its own
// checksum, so a bad byte costs only the part that contains it. A document with a sound
// text but damaged vectors is passed to texts, without vectors and with a description of
// the problem, to be encoded again. The new collection appears once it is complete and
// passes Verify.
func Repair(ctx context.Context, dir, to string, texts func(d engine.Document, problem string) error) (*Repaired, error) {
	r, err := repair(ctx, dir, to, texts)
	return r, annotate("repairing "+dir, err)
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
		return nil, engine.BadInput(to, "already exists; choose a new directory")
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
		err = fmt.Errorf("the recovered collection is damaged too (%v): the disk may be failing", report.Damage[0])
	}
	if err != nil {
		return nil, err
	}
	return w.report, errors.Join(p.disk.Rename(filepath.Join(partial, "c"), to), p.disk.SyncDir(filepath.Dir(to)))
}

// hold keeps other processes from writing until free is called. It changes no files.
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

// Replace puts the new collection in place of the damaged one, unless that was written to
// meanwhile, and renames the damaged one. It returns the new name.
func (r *Repaired) Replace() (aside string, err error) {
	p := r.from
	aside, err = p.replace(r.to, r.seen)
	return aside, annotate("replacing "+p.dir, err)
}

func (p place) replace(by, seen string) (aside string, err error) {
	free, err := p.hold()
	if err != nil {
		return "", err
	}
	defer free()
	if now, err := p.seen(); err != nil || now != seen {
		return "", cmp.Or(err, fmt.Errorf("the collection was written to since the repair; run the repair again (the previous result is in %s)", by))
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

// seen returns a fingerprint of the collection's files, by length and modification time,
// to detect writes.
func (p place) seen() (string, error) {
	var all strings.Builder
	entries, err := p.disk.ReadDir(p.dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return "", err
		}
		if info.Size() > 0 && e.Name() != ledgerName+"-shm" { // readers create these
			fmt.Fprintln(&all, e.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return all.String(), err
}

// saveTo creates a collection from all sound parts.
func (w *salvage) saveTo(ctx context.Context, to string, texts func(d engine.Document, problem string) error) error {
	c, err := Create(ctx, to, Options{Dimension: w.dim, Encoder: w.encoder})
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
	return nil
}
