package weaviate

import (
	"context"
	"encoding/binary"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// stretches is how many parts of the order of UUIDs a sample is taken from.
const stretches = 25

// Sample are documents from places at even distances in the order of their objects' UUIDs.
// Most kinds of them are in no order at all; some begin with the time.
func (a *Attached) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	err = a.read(ctx, "sampling documents", func(ctx context.Context, h *host) error {
		refs = nil
		seen := map[engine.Ref]bool{}
		take := func(after key, some int) error {
			_, err := pages(ctx, h, a.ask(false, func(*property) bool { return false }), after, some, func(k key, _ *wire.SearchResult) (bool, error) {
				if seen[k.ref()] {
					return false, nil
				}
				seen[k.ref()] = true
				refs = append(refs, k.ref())
				return true, nil
			})
			return err
		}
		size, err := a.size(ctx, h)
		if err != nil {
			return err
		}
		if size.Documents <= n || n < stretches {
			return take(key{}, n)
		}
		first, last, err := a.ends(ctx, h)
		if err != nil {
			return err
		}
		for i := range uint64(stretches) {
			if err := take(at(first+(last-first)/stretches*i), n/stretches); err != nil {
				return err
			}
		}
		return nil
	})
	return refs, err
}

// at is the least key that begins with eight bytes.
func at(beginning uint64) (k key) {
	binary.BigEndian.PutUint64(k[:], beginning)
	return k
}

// ends are how the first and the last key begin, the latter to the first half of it.
func (a *Attached) ends(ctx context.Context, h *host) (first, last uint64, err error) {
	// next is the key after one, where there is any.
	next := func(after key) (k key, found bool, err error) {
		_, err = pages(ctx, h, a.ask(false, func(*property) bool { return false }), after, 1, func(next key, _ *wire.SearchResult) (bool, error) {
			k, found = next, true
			return true, nil
		})
		return k, found, err
	}
	k, found, err := next(key{})
	if err != nil || !found {
		return 0, 0, err
	}
	first = binary.BigEndian.Uint64(k[:])
	last = first
	for step := uint64(1) << 63; step >= 1<<16; step >>= 1 {
		if last > last+step {
			continue
		}
		k, found, err := next(at(last + step))
		if err != nil {
			return 0, 0, err
		}
		if found {
			last = binary.BigEndian.Uint64(k[:])
		}
	}
	return first, last, nil
}
