package indexing

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// settle assigns the final ids to the documents of a batch, and drops unchanged
// documents.
func (c *applier) settle(ctx context.Context) (changed []piece, err error) {
	stored, err := c.lookup(ctx)
	if err != nil {
		return nil, err
	}
	for _, next := range c.batch {
		file := next.source.Name
		own, other := next.doc.ID, ingest.Qualified(file, next.doc.ID)
		was, known := stored[other]
		// A document keeps the longer id once it has it.
		if known && workspace.FileOf(was.Metadata) == file || !c.isFree(own, file, stored) {
			if _, given := c.given[other]; given || !c.isFree(other, file, stored) {
				c.skipBytes(next)
				c.skip(ingest.Skip{Path: next.source.Path, Kind: ingest.Duplicate, Reason: fmt.Sprintf("other documents have the ids %q and %q", own, other)})
				continue
			}
			next.doc.ID = other
			c.Renamed, c.Example = c.Renamed+1, other
		}
		c.given[next.doc.ID] = file
		if was, known := stored[next.doc.ID]; known && isSame(&was, &next.doc) {
			c.skipBytes(next)
			c.Same++
			continue
		}
		changed = append(changed, next)
	}
	return changed, nil
}

// lookup reads the stored documents under all ids that the batch may use.
func (c *applier) lookup(ctx context.Context) (map[string]engine.Document, error) {
	var ids []string
	for _, next := range c.batch {
		ids = append(ids, next.doc.ID, ingest.Qualified(next.source.Name, next.doc.ID))
	}
	slices.Sort(ids)
	docs, err := c.to.Lookup(ctx, slices.Compact(ids))
	stored := make(map[string]engine.Document, len(docs))
	for _, d := range docs {
		stored[d.ID] = d
	}
	return stored, err
}

// isFree reports whether a document of a file may use an id: it is unused, or belongs to
// a file that no longer exists, or that was read and no longer contains it.
func (c *applier) isFree(id, file string, stored map[string]engine.Document) bool {
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
	return owner != "" && (!isFile || c.ended[owner] || was.Place != "" && isGone(was.Place))
}

// isSame reports whether a document is already stored unchanged and need not be encoded.
func isSame(stored, d *engine.Document) bool {
	return d.Vector == nil && stored.Title == d.Title && stored.Text == d.Text &&
		reflect.DeepEqual(parts(stored), parts(d)) && sameMetadata(stored.Metadata, d.Metadata)
}

// parts returns the passages without what storing adds: vectors and the title.
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

// sameMetadata compares parsed JSON, because an engine may reformat it.
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
