package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/engine"
)

// Repaired reports what Repair recovered.
type Repaired struct {
	Documents int      // in the new collection
	Texts     int      // documents passed to texts, without vectors
	Notes     int      // in the new collection
	Lost      []Damage // what could not be recovered, or may be incomplete
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

// saveTo creates a collection from all sound parts.
func (w *salvage) saveTo(ctx context.Context, to string, texts func(d engine.Document, problem string) error) error {
	c, err := Create(ctx, to, Options{Dimension: w.dim, Encoder: w.encoder})
	if err != nil {
		return err
	}
	s := &saver{salvage: w, c: c, texts: texts}
	err = s.documents(ctx)
	if err == nil {
		notes := w.notes()
		w.report.Notes = len(notes)
		err = c.SetNotes(ctx, notes)
	}
	return errors.Join(err, c.Close())
}
