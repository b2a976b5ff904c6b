package indexing

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// settle gives the documents of a batch the ids that they are stored under, and leaves
// out those that are stored as they are.
func (c *carrier) settle(ctx context.Context) (changed []piece, err error) {
	stored := map[string]engine.Document{}
	if err := c.lookup(ctx, stored, c.batch); err != nil {
		return nil, err
	}
	renamed := map[int]bool{}
	var again []piece
	for i := range c.batch {
		next := &c.batch[i]
		if c.isFree(next.doc.ID, next.source.Name, stored) {
			c.given[next.doc.ID] = next.source.Name
			continue
		}
		next.doc.ID = ingest.Qualified(next.source.Name, next.doc.ID)
		renamed[i] = true
		again = append(again, *next)
	}
	if err := c.lookup(ctx, stored, again); err != nil {
		return nil, err
	}
	for i, next := range c.batch {
		id, file := next.doc.ID, next.source.Name
		if renamed[i] {
			if _, given := c.given[id]; given || !c.isFree(id, file, stored) {
				c.skip(ingest.Skip{Path: next.source.Path, Kind: ingest.Duplicate, Reason: fmt.Sprintf("another document has the id %q", id)})
				continue
			}
			c.given[id] = file
			c.Renamed, c.Example = c.Renamed+1, id
		}
		if was, known := stored[id]; known && isSame(&was, &next.doc) {
			c.Same++
			continue
		}
		changed = append(changed, next)
	}
	return changed, nil
}

// lookup reads what is stored under the ids of some documents.
func (c *carrier) lookup(ctx context.Context, stored map[string]engine.Document, batch []piece) error {
	if len(batch) == 0 {
		return nil
	}
	ids := make([]string, len(batch))
	for i := range batch {
		ids[i] = batch[i].doc.ID
	}
	slices.Sort(ids)
	docs, err := c.to.Lookup(ctx, slices.Compact(ids))
	for _, d := range docs {
		stored[d.ID] = d
	}
	return err
}

// isFree reports whether a document of a file may have an id: nobody else has it, or
// only a file that is gone.
func (c *carrier) isFree(id, file string, stored map[string]engine.Document) bool {
	if first, given := c.given[id]; given {
		return first == file
	}
	d, known := stored[id]
	if !known {
		return true
	}
	owner := workspace.FileOf(d.Metadata)
	if owner == file {
		return true
	}
	was, isFile := c.files[owner]
	return owner != "" && (!isFile || was.Place != "" && isGone(was.Place))
}

// isSame reports whether what is stored is what would be, so that it need not be
// encoded.
func isSame(stored, d *engine.Document) bool {
	return d.Vector == nil && stored.Title == d.Title && stored.Text == d.Text &&
		reflect.DeepEqual(parts(stored), parts(d)) && sameMetadata(stored.Metadata, d.Metadata)
}

// parts are the passages without what storing adds: vectors, and the title.
func parts(d *engine.Document) []engine.Passage {
	out := make([]engine.Passage, 0, len(d.Passages))
	for i, p := range d.Passages {
		if i == 0 && p.Text == d.Title {
			continue
		}
		p.Vector = nil
		out = append(out, p)
	}
	return out
}

// sameMetadata compares as JSON: an engine may write it in its own way.
func sameMetadata(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	read := func(text json.RawMessage) (v any, ok bool) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return v, d.Decode(&v) == nil
	}
	x, okX := read(a)
	y, okY := read(b)
	return okX && okY && reflect.DeepEqual(x, y)
}
