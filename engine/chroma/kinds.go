package chroma

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nsfl-go/nsfl/engine/remote"
)

// kind is the set of types of the values of a metadata key.
type kind uint8

const (
	numbers kind = 1 << iota
	texts
	truths
	others // lists, which newer servers have, and keys with another role
)

var kindNames = map[kind]string{numbers: "number", texts: "string", truths: "boolean", others: "list"}

func (k kind) String() string {
	var out []string
	for bit := numbers; bit <= others; bit <<= 1 {
		if k&bit != 0 {
			out = append(out, kindNames[bit])
		}
	}
	return strings.Join(out, " or ")
}

// kindsOf adds the types in the metadata of a record.
func kindsOf(fields map[string]kind, metadata map[string]json.RawMessage) {
	for key, value := range metadata {
		switch value[0] {
		case '"':
			fields[key] |= texts
		case 't', 'f':
			fields[key] |= truths
		case '[', '{':
			fields[key] |= others
		case 'n':
		default:
			fields[key] |= numbers
		}
	}
}

// columnsOf are the keys as columns, by name.
func columnsOf(fields map[string]kind) (out []remote.Column) {
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		c := remote.Column{Name: key, Type: fields[key].String(), Kind: remote.Value}
		if fields[key] == texts {
			c.Kind = remote.Text
		}
		out = append(out, c)
	}
	return out
}

// kinds caches the types in the metadata of a sample, since Chroma has no catalogue.
type kinds struct {
	mu     sync.Mutex
	fields map[string]kind
	at     time.Time
}

const (
	kindsSeen  = 1000
	kindsFresh = time.Minute
)

// fields are the kinds of the metadata's keys.
func (d *driver) fields(ctx context.Context) (map[string]kind, error) {
	d.kinds.mu.Lock()
	fields, good := d.kinds.fields, time.Since(d.kinds.at) < kindsFresh
	d.kinds.mu.Unlock()
	if good {
		return fields, nil
	}
	refs, err := d.Sample(ctx, kindsSeen)
	if err != nil {
		return nil, err
	}
	fields = map[string]kind{}
	for some := range slices.Chunk(refs, 500) {
		a, err := d.get(ctx, map[string]any{"ids": idsOf(some)}, "metadatas")
		if err != nil {
			return nil, err
		}
		for _, m := range a.Metadatas {
			kindsOf(fields, m)
		}
	}
	fields[d.roles.Title], fields[d.roles.Text] = others, others
	d.kinds.mu.Lock()
	defer d.kinds.mu.Unlock()
	d.kinds.fields, d.kinds.at = fields, time.Now()
	return fields, nil
}
