package indexing

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/passage"
)

// ErrUnread says that nothing of a source could be read. It is tried again the next
// time, and what is stored of it stays.
var ErrUnread = errors.New("unread")

// Reading reads the documents of a source. An error but ErrUnread ends everything; skip
// is told of what is not read.
type Reading func(ctx context.Context, s ingest.Source, skip func(ingest.Skip)) iter.Seq2[engine.Document, error]

// Options are how files are read.
type Options struct {
	Ingest ingest.Options
	// Prune removes what came from files below what is named that are gone.
	Prune bool
	// Patient, with Prune, waits for paths that never were there.
	Patient bool
	// Read reads a source; nil: ingest does.
	Read Reading
	// Bar shows how many of so many bytes have been encoded; nil: nothing is shown.
	Bar func(total int64) *progress.Bar
}

// Pass is one look at files, and what comes of it.
type Pass struct {
	Report

	options Options
	run     *ingest.Run
	roots   []root
	found   []ingest.Source // by their names below what was named

	files map[string]ingest.Fingerprint  // that the collection has
	seen  map[string]*ingest.Fingerprint // those that are as they were, and are noted anew
	todo  []ingest.Source                // those to read, by their names in the collection
	gone  []string                       // those to forget

	position int64 // in the source that is being read

	skipping sync.Mutex
}

// Find finds files in files and folders. With Options.Prune these need not be there any
// more.
func Find(ctx context.Context, paths []string, o Options) (*Pass, error) {
	p := &Pass{options: o}
	o.Ingest.Skip = p.skip
	o.Ingest.Progress = func(bytes int64) { p.position = bytes }
	var err error
	if p.run, err = ingest.New(o.Ingest); err != nil {
		return nil, err
	}
	var there []string
	for _, path := range paths {
		if path == ingest.StandardInput {
			there = append(there, path)
			continue
		}
		r, err := newRoot(path)
		if err != nil {
			return nil, err
		}
		p.roots = append(p.roots, r)
		if !r.gone || !o.Prune {
			there = append(there, path)
		}
	}
	for s, err := range p.run.Sources(ctx, there...) {
		if err != nil {
			return nil, err
		}
		p.found = append(p.found, s)
	}
	return p, nil
}

// CutInto has documents cut into passages of some lengths.
func (p *Pass) CutInto(l passage.Lengths) { p.run.Cut(l) }

// Compare tells what of the files found differs from those that a collection has.
func (p *Pass) Compare(ctx context.Context, files map[string]ingest.Fingerprint) error {
	sources := slices.Clone(p.found)
	p.files, p.seen, p.todo, p.gone = files, map[string]*ingest.Fingerprint{}, nil, nil
	p.Unchanged, p.Moved = 0, rename(sources, files)
	named := map[string]bool{}
	for _, s := range sources {
		named[s.Name] = true
		was, known := files[s.Name]
		if known && was.SHA256 != "" && was.Size == s.Size {
			now, same, err := s.Compare(ctx, was)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil && same { // otherwise reading it says what is wrong
				p.Unchanged++
				if now != was {
					p.seen[s.Name] = &now
				}
				continue
			}
		}
		p.todo = append(p.todo, s)
	}
	if !p.options.Prune {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		below := func(r root) bool { return r.holds(files[name].Place) }
		if !named[name] && files[name].Place != "" && slices.ContainsFunc(p.roots, below) && isGone(files[name].Place) {
			p.gone = append(p.gone, name)
		}
	}
	if p.options.Patient {
		return nil
	}
	return p.explainRoots()
}

// explainRoots is an error for a path that is not there and never was.
func (p *Pass) explainRoots() error {
	for _, r := range p.roots {
		if r.gone && !slices.ContainsFunc(p.gone, func(name string) bool { return r.holds(p.files[name].Place) }) {
			return fmt.Errorf("there is no %s, and nothing in the collection came from it", r.path)
		}
	}
	return nil
}

// Idle reports whether the collection is up to date.
func (p *Pass) Idle() bool { return len(p.todo)+len(p.seen)+len(p.gone) == 0 }

// total is how many bytes there are to read.
func (p *Pass) total() (n int64) {
	for _, s := range p.todo {
		n += s.Size
	}
	return n
}

// skip counts what was not read.
func (p *Pass) skip(s ingest.Skip) {
	p.skipping.Lock()
	defer p.skipping.Unlock()
	p.Report.skip(s)
}
