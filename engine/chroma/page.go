package chroma

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// mark is the place after a record: how many records came until then, and which were the
// last of them, since a place alone moves when records before it are deleted.
type mark struct {
	At   int      `json:"at"`
	Last []string `json:"last"`
}

// anchors is the number of trailing records in a mark. If all of them are deleted, the end of
// the page cannot be found.
const anchors = 4

func readMark(text string) (m mark, ok bool) {
	err := json.Unmarshal([]byte(text), &m)
	return m, err == nil && m.String() == text && m.At >= len(m.Last) && len(m.Last) > 0 && len(m.Last) <= anchors && !slices.Contains(m.Last, "")
}

func (m mark) String() string {
	text, err := remote.Marshal(m)
	if err != nil {
		panic(err) // there is nothing in it that cannot be written
	}
	return string(text)
}

const longestPage = 1000

// Page visits records in the order in which they were stored.
func (d *driver) Page(ctx context.Context, after string, limit int, where remote.Where, want remote.Want, visit func(*remote.Entry) (bool, error)) error {
	at, err := d.resume(ctx, where, after)
	for err == nil {
		var a *answer
		if a, err = d.page(ctx, where, at, min(limit, longestPage), d.include(want)...); err != nil || len(a.IDs) == 0 {
			return err
		}
		for i := range a.IDs {
			e, err := d.entry(a, i, want)
			if err != nil {
				return err
			}
			at++
			m := mark{at, a.IDs[max(0, i+1-anchors) : i+1]}
			e.Mark = m.String
			if more, err := visit(e); err != nil || !more {
				return err
			}
		}
	}
	return err
}

func (d *driver) resume(ctx context.Context, where remote.Where, after string) (int, error) {
	if after == "" {
		return 0, nil
	}
	m, ok := readMark(after)
	if !ok {
		return 0, remote.BadMark(after)
	}
	a, err := d.page(ctx, where, m.At-len(m.Last), len(m.Last))
	if err != nil || slices.Equal(a.IDs, m.Last) {
		return m.At, err
	}
	// Something was deleted since, or passes a filter that did not.
	best, at := -1, 0
	for offset := 0; best < len(m.Last)-1; offset += longestPage {
		a, err := d.page(ctx, where, offset, longestPage)
		if err != nil {
			return 0, err
		}
		if len(a.IDs) == 0 {
			break
		}
		for i, id := range a.IDs {
			if anchor := slices.Index(m.Last, id); anchor > best {
				best, at = anchor, offset+i+1
			}
		}
	}
	if best < 0 {
		return 0, errors.New("the documents that the page before ended with have been deleted: list from the beginning")
	}
	return at, nil
}

// stretches is how many parts of a large collection a sample is taken from: to get at a
// record by its place takes Chroma the longer the more there are before it.
const stretches = 25

func (d *driver) Sample(ctx context.Context, n int) ([]engine.Ref, error) {
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return nil, err
	}
	if size.Documents <= max(n, d.sampledWhole) {
		a, err := d.page(ctx, remote.Where{}, 0, max(1, size.Documents))
		if err != nil {
			return nil, err
		}
		return refsOf(evenly(a.IDs, n)), nil
	}
	parts := make([][]string, min(n, stretches))
	err = workers.Each(ctx, len(parts), remote.Parallelism, func(ctx context.Context, i int) error {
		a, err := d.page(ctx, remote.Where{}, i*(size.Documents/len(parts)), n/len(parts))
		if err == nil {
			parts[i] = a.IDs
		}
		return err
	})
	return refsOf(slices.Concat(parts...)), err
}

func evenly(ids []string, n int) []string {
	if len(ids) <= n {
		return ids
	}
	out := make([]string, n)
	for i := range out {
		out[i] = ids[i*len(ids)/n]
	}
	return out
}
