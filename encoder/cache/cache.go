package cache

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
)

// Options configures a cache. The zero value is ready to use.
type Options struct {
	// MaxBytes limits the size of the file, not counting SQLite's write-ahead log of a few
	// megabytes. 0 means 1 GiB; the minimum is 1 MiB. All users of a directory should use the
	// same limit.
	MaxBytes int64

	// OnTrouble is called with the reason when the cache is recreated or disabled, a handful
	// of times at most.
	OnTrouble func(error)
}

// Stats counts what a cache has done since it was opened.
type Stats struct {
	Hits   int64 // texts found; repetitions in one call count once
	Misses int64 // texts that were encoded
	Bytes  int64 // in use in the file, by all who share it, as of the last write or opening
}

// Cache is an encoder that stores the vectors it has computed. It is safe for concurrent use.
type Cache struct {
	inner        encoder.Encoder
	identity     encoder.Identity
	sum          [32]byte // hash of the identity
	dir          string
	options      Options
	patience     time.Duration
	hits, misses atomic.Int64
	bytes        atomic.Int64

	mu    sync.RWMutex // held for reading while the store is used
	store *store       // nil when disabled
}

var _ encoder.Encoder = (*Cache)(nil)

// Open returns a cache for an encoder in dir, which is created if necessary. If that fails,
// Open calls OnTrouble and returns a cache that stores nothing.
func Open(ctx context.Context, inner encoder.Encoder, dir string, o Options) *Cache {
	return open(ctx, inner, dir, o, 5*time.Second)
}

func open(ctx context.Context, inner encoder.Encoder, dir string, o Options, patience time.Duration) *Cache {
	o.MaxBytes = max(cmp.Or(o.MaxBytes, 1<<30), 1<<20)
	c := &Cache{inner: inner, identity: inner.Identity(), dir: dir, options: o, patience: patience}
	c.sum = identitySum(c.identity)
	c.report(c.openFile(ctx))
	return c
}

// Close closes the file. Encode keeps working without it. The wrapped encoder stays open.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.store == nil {
		return nil
	}
	err := c.store.close()
	c.store = nil
	if err != nil {
		return fmt.Errorf("closing the cache of vectors in %s: %w", c.dir, err)
	}
	return nil
}

// Identity returns the identity of the wrapped encoder.
func (c *Cache) Identity() encoder.Identity { return c.identity }

// Unwrap returns the wrapped encoder.
func (c *Cache) Unwrap() encoder.Encoder { return c.inner }

// Stats returns the counts so far.
func (c *Cache) Stats() Stats {
	return Stats{Hits: c.hits.Load(), Misses: c.misses.Load(), Bytes: c.bytes.Load()}
}

// Encode looks up texts and encodes those not found in one call.
func (c *Cache) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	b := c.collate(role, texts)
	if len(texts) > 0 {
		if err := c.complete(ctx, role, b); err != nil {
			return encoder.Encoded{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return encoder.Encoded{}, err
	}
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	given := make([]bool, len(b.entries))
	for i, e := range b.of {
		out.Vectors[i], out.Cut[i] = b.entries[e].vector, b.entries[e].cut
		if given[e] { // callers may modify one vector without affecting another
			out.Vectors[i] = slices.Clone(out.Vectors[i])
		}
		given[e] = true
	}
	return out, nil
}

// batch holds the texts of a call without repetitions.
type batch struct {
	texts   []string
	entries []entry
	of      []int // index of the entry for each text of the call
}

func (c *Cache) collate(role encoder.Role, texts []string) *batch {
	b := &batch{of: make([]int, len(texts))}
	seen := make(map[key]int, len(texts))
	prefix := c.identity.Prefixes.Of(role)
	for i, text := range texts {
		k := keyOf(c.sum, prefix, text)
		e, ok := seen[k]
		if !ok {
			e = len(b.entries)
			seen[k] = e
			b.texts = append(b.texts, text)
			b.entries = append(b.entries, entry{key: k})
		}
		b.of[i] = e
	}
	return b
}

// complete sets the vector of every entry of a batch.
func (c *Cache) complete(ctx context.Context, role encoder.Role, b *batch) error {
	aged := c.find(ctx, b.entries)
	if err := ctx.Err(); err != nil {
		return err
	}
	var missing []int
	var texts []string
	for i := range b.entries {
		if b.entries[i].vector == nil {
			missing = append(missing, i)
			texts = append(texts, b.texts[i])
		}
	}
	var fresh []entry
	if len(missing) > 0 {
		encoded, err := c.inner.Encode(ctx, role, texts)
		if err != nil {
			return err
		}
		if len(encoded.Vectors) != len(texts) || len(encoded.Cut) != len(texts) {
			return fmt.Errorf("encoding with %s: got %d vectors for %d texts", c.identity, len(encoded.Vectors), len(texts))
		}
		for j, i := range missing {
			b.entries[i].vector, b.entries[i].cut = encoded.Vectors[j], encoded.Cut[j]
			if len(encoded.Vectors[j]) == c.identity.Dimension { // other dimensions could not be read back
				fresh = append(fresh, b.entries[i])
			}
		}
	}
	c.hits.Add(int64(len(b.entries) - len(missing)))
	c.misses.Add(int64(len(missing)))
	if len(fresh) > 0 || len(aged) > 0 {
		c.use(ctx, func(s *store) error {
			used, err := s.keep(ctx, fresh, aged, c.options.MaxBytes)
			if err == nil {
				c.bytes.Store(used)
			}
			return err
		})
	}
	return nil
}

// find sets the vectors of the entries that are stored, and returns the keys of those
// that have aged.
func (c *Cache) find(ctx context.Context, entries []entry) (aged []key) {
	c.use(ctx, func(s *store) (err error) {
		if aged, err = s.find(ctx, entries, c.identity.Dimension, c.options.MaxBytes); err != nil {
			// The vectors read so far come from a damaged file; discard them.
			for i := range entries {
				entries[i] = entry{key: entries[i].key}
			}
		}
		return err
	})
	return aged
}
