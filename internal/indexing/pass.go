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
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/progress"
	"github.com/nsfl-go/nsfl/passage"
)

// ErrUnread reports that a source could not be read at all. It is retried in the next
// pass, and its stored documents stay.
var ErrUnread = errors.New("unread")

// Reading reads the documents of a source and reports skipped parts to skip. Any error
// but ErrUnread aborts the pass.
type Reading func(ctx context.Context, s ingest.Source, skip func(ingest.Skip)) iter.Seq2[engine.Document, error]

// Options configure a pass.
type Options struct {
	Ingest ingest.Options
	// Prune removes the documents of files below the given paths that no longer exist.
	Prune bool
	// Patient, with Prune, waits for paths that have never existed.
	Patient bool
	// Read reads a source; nil uses ingest.
	Read Reading
	// Bar returns a progress bar for the given number of bytes; nil shows none.
	Bar func(total int64) *progress.Bar
}

// Pass is one scan of files and its result.
type Pass struct {
	Report

	options Options
	run     *ingest.Run
	roots   []root
	found   []ingest.Source // named by their path below the given paths

	files map[string]ingest.Fingerprint  // in the collection
	seen  map[string]*ingest.Fingerprint // unchanged files to record again
	todo  []ingest.Source                // files to read, by their names in the collection
	gone  []string                       // files to remove

	position int64 // in the source being read

	skipping sync.Mutex
}

// Find finds files in the given files and folders. With Options.Prune these need not
// exist.
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

// CutInto splits documents into passages of the given lengths.
func (p *Pass) CutInto(l passage.Lengths) { p.run.Cut(l) }

// Compare determines how the files found differ from those in a collection.
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
			if err == nil && same { // otherwise reading it reports the error
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
	for _, r := range p.roots { // a path that was never indexed is probably misspelled
		if r.gone && !slices.ContainsFunc(p.gone, func(name string) bool { return r.holds(p.files[name].Place) }) {
			return fmt.Errorf("%s does not exist, and the collection has no documents from it", r.path)
		}
	}
	return nil
}

// Idle reports whether the collection is up to date.
func (p *Pass) Idle() bool { return len(p.todo)+len(p.seen)+len(p.gone) == 0 }

// total returns the number of bytes to read.
func (p *Pass) total() (n int64) {
	for _, s := range p.todo {
		n += s.Size
	}
	return n
}

func (p *Pass) skip(s ingest.Skip) {
	p.skipping.Lock()
	defer p.skipping.Unlock()
	p.Report.skip(s)
}
