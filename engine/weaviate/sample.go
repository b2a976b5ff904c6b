package weaviate

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

// stretches is the number of places in the order of UUIDs that a sample is taken from.
const stretches = 25

// Sample returns documents from places at even distances in the order of their UUIDs. Most
// kinds of UUIDs are in no order at all; some begin with the time.
func (d *driver) Sample(ctx context.Context, n int) (refs []engine.Ref, err error) {
	seen := map[engine.Ref]bool{}
	take := func(after key, some int) error {
		return d.pages(ctx, d.request(remote.Want{}), after, some, func(r *wire.SearchResult) (bool, error) {
			k, err := keyIn(r)
			if err != nil || seen[k.ref()] {
				return false, err
			}
			seen[k.ref()] = true
			refs = append(refs, k.ref())
			some--
			return some > 0, nil
		})
	}
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return nil, err
	}
	if size.Documents <= n || n < stretches {
		err := take(key{}, n)
		return refs, err
	}
	first, last, err := d.ends(ctx)
	if err != nil {
		return nil, err
	}
	for i := range uint64(stretches) {
		if err := take(at(first+(last-first)/stretches*i), n/stretches); err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// at returns the least key that begins with eight bytes.
func at(beginning uint64) (k key) {
	binary.BigEndian.PutUint64(k[:], beginning)
	return k
}

// ends returns the first eight bytes of the first and of the last key.
func (d *driver) ends(ctx context.Context) (first, last uint64, err error) {
	// next returns the key after one, if there is any.
	next := func(after key) (k key, found bool, err error) {
		err = d.pages(ctx, d.request(remote.Want{}), after, 1, func(r *wire.SearchResult) (bool, error) {
			k, err = keyIn(r)
			found = true
			return false, err
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

type key [16]byte

func (k key) String() string {
	h := hex.EncodeToString(k[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func parseKey(text string) (key, error) {
	var k key
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
		if _, err := hex.Decode(k[:], []byte(digits)); err == nil {
			return k, nil
		}
	}
	return k, fmt.Errorf("%.40q is not a UUID", text)
}

// ref returns the Ref of the document, which stays the same when the document is replaced.
func (k key) ref() engine.Ref { return engine.Ref{Key: k.String()} }
