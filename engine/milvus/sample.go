package milvus

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// walked is how many keys are read for a sample: of more entities, it is one of the first
// so many.
const walked = 1 << 20

// sampled is a sample that was drawn.
type sampled struct {
	mu   sync.Mutex
	keys []string // in the order of their hashes
	of   int      // how many documents there were
}

// most is how many keys a sample keeps.
const most = 4096

// Sample are the documents whose keys have the least hashes: so they are in no order at all.
// All keys are read for it, and again when the number of documents has changed by a tenth.
func (d *driver) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return nil, err
	}
	d.sample.mu.Lock()
	defer d.sample.mu.Unlock()
	if now, then := size.Documents, d.sample.of; 10*abs(now-then) > then || min(n, now) > len(d.sample.keys) && len(d.sample.keys) < most {
		if d.sample.keys, err = d.draw(ctx); err != nil {
			return nil, err
		}
		d.sample.of = now
	}
	for _, k := range d.sample.keys[:max(0, min(n, len(d.sample.keys)))] {
		refs = append(refs, engine.Ref{Key: k})
	}
	return refs, nil
}

func abs(x int) int { return max(x, -x) }

// draw reads the keys and keeps those with the least hashes.
func (d *driver) draw(ctx context.Context) ([]string, error) {
	type drawn struct {
		hash [sha256.Size]byte
		key  string
	}
	var all []drawn
	shrink := func(to int) {
		slices.SortFunc(all, func(a, b drawn) int { return strings.Compare(string(a.hash[:]), string(b.hash[:])) })
		all = all[:min(to, len(all))]
	}
	seen := 0
	err := d.Page(ctx, "", maxResults, remote.Where{}, remote.Want{}, func(e *remote.Entry) (bool, error) {
		if all = append(all, drawn{sha256.Sum256([]byte(e.ID)), e.ID}); len(all) == 8*most {
			shrink(most)
		}
		seen++
		return seen < walked, nil
	})
	shrink(most)
	keys := make([]string, len(all))
	for i, drawn := range all {
		keys[i] = drawn.key
	}
	return keys, err
}
