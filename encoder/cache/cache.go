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

// Options are the settings of a cache; the zero value is good.
type Options struct {
	// MaxBytes bounds the file, not counting SQLite's log of a few megabytes
	// beside it. 0: 1 GiB; less than 1 MiB counts as that. All users of a
	// directory should agree on it.
	MaxBytes int64

	// OnTrouble is told why the cache was begun anew or is done without. It is
	// called once for each of these, a handful of times at most.
	OnTrouble func(error)
}

// Stats are what a cache has done since it was opened.
type Stats struct {
	Hits   int64 // texts whose vectors were there; repetitions in one call count once
	Misses int64 // texts that were encoded
	Bytes  int64 // in use in the file, by all who share it, when it was last written to or opened
}

// Cache is an encoder that remembers. It is safe for concurrent use.
type Cache struct {
	inner        encoder.Encoder
	identity     encoder.Identity
	sum          [32]byte // of the identity
	dir          string
	options      Options
	patience     time.Duration
	hits, misses atomic.Int64
	bytes        atomic.Int64

	mu    sync.RWMutex // held for reading while the store is used
	store *store       // nil: done without
}

var _ encoder.Encoder = (*Cache)(nil)

// Open is a cache for an encoder, in a directory that is made if need be. Where
// that does not work the cache does without, as OnTrouble is told.
func Open(ctx context.Context, inner encoder.Encoder, dir string, o Options) *Cache {
	return open(ctx, inner, dir, o, 5*time.Second)
}

func open(ctx context.Context, inner encoder.Encoder, dir string, o Options, patience time.Duration) *Cache {
	o.MaxBytes = max(cmp.Or(o.MaxBytes, 1<<30), 1<<20)
	c := &Cache{inner: inner, identity: inner.Identity(), dir: dir, options: o, patience: patience}
	c.sum = identitySum(c.identity)
	c.tell(c.begin(ctx))
	return c
}

// Close closes the file. Encode goes on without it. The encoder inside is left as
// it is.
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

// Identity is that of the encoder inside.
func (c *Cache) Identity() encoder.Identity { return c.identity }

// Unwrap is the encoder inside.
func (c *Cache) Unwrap() encoder.Encoder { return c.inner }

// Stats are what the cache has done until now.
func (c *Cache) Stats() Stats {
	return Stats{Hits: c.hits.Load(), Misses: c.misses.Load(), Bytes: c.bytes.Load()}
}

// Encode looks texts up, and has those that are not there encoded in one call.
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
		if given[e] { // a caller may change one of its vectors without changing another
			out.Vectors[i] = slices.Clone(out.Vectors[i])
		}
		given[e] = true
	}
	return out, nil
}

// batch is the texts of a call, each once.
type batch struct {
	texts   []string
	entries []entry
	of      []int // the entry of each text of the call
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

// complete gives every entry of a batch its vector.
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
			return fmt.Errorf("encoding with %s: %d vectors came for %d texts", c.identity, len(encoded.Vectors), len(texts))
		}
		for j, i := range missing {
			b.entries[i].vector, b.entries[i].cut = encoded.Vectors[j], encoded.Cut[j]
			if len(encoded.Vectors[j]) == c.identity.Dimension { // what could not be read again is not kept
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

// find gives vectors to the entries that are there, and returns the keys of those
// that have aged.
func (c *Cache) find(ctx context.Context, entries []entry) (aged []key) {
	c.use(ctx, func(s *store) (err error) {
		if aged, err = s.find(ctx, entries, c.identity.Dimension, c.options.MaxBytes); err != nil {
			// What was found in a damaged file may still be right, but who knows.
			for i := range entries {
				entries[i] = entry{key: entries[i].key}
			}
		}
		return err
	})
	return aged
}
