package remote

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// Kinds is the set of types of the values of a field, for engines without a schema.
type Kinds uint8

// The types of values. The kinds of a list include those of its elements.
const (
	Numbers Kinds = 1 << iota
	Texts
	Booleans
	Lists
	Objects
)

var kindNames = []string{"number", "string", "boolean", "list", "object"}

func (k Kinds) String() string {
	var out []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, " or ")
}

// AddKinds adds the types in a record. A field b of an object a is a.b; a field whose own
// name has a dot counts as an object, too, since the two look the same in a predicate.
func AddKinds(fields map[string]Kinds, record map[string]json.RawMessage) {
	addKinds(fields, "", record)
}

func addKinds(fields map[string]Kinds, prefix string, record map[string]json.RawMessage) {
	for name, value := range record {
		if strings.Contains(name, ".") {
			fields[prefix+name] |= Objects
		}
		addKind(fields, prefix+name, value)
	}
}

func addKind(fields map[string]Kinds, name string, value json.RawMessage) {
	switch value[0] {
	case '"':
		fields[name] |= Texts
	case 't', 'f':
		fields[name] |= Booleans
	case '[':
		fields[name] |= Lists
		var list []json.RawMessage
		_ = json.Unmarshal(value, &list) // it was read as JSON before
		for _, v := range list {
			if addKind(fields, name, v); v[0] == '[' {
				fields[name] |= Objects // engines compare the elements of one list
			}
		}
	case '{':
		fields[name] |= Objects
		var object map[string]json.RawMessage
		_ = json.Unmarshal(value, &object) // it was read as JSON before
		addKinds(fields, name+".", object)
	case 'n':
	default:
		fields[name] |= Numbers
	}
}

// KindColumns returns fields as columns, by name.
func KindColumns(fields map[string]Kinds) (out []Column) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		c := Column{Name: name, Type: fields[name].String(), Kind: Value}
		switch fields[name] {
		case Texts:
			c.Kind = Text
		case Objects:
			c.Kind = Object
		}
		out = append(out, c)
	}
	return out
}

// SampleCache keeps a sample that is costly to draw. The zero value is empty.
type SampleCache struct{ cached[[]engine.Ref] }

// Get returns up to n documents of a sample, which is drawn if it is not known or too old.
func (c *SampleCache) Get(ctx context.Context, n int, draw func(context.Context) ([]engine.Ref, error)) ([]engine.Ref, error) {
	refs, err := c.get(ctx, time.Minute, draw)
	return slices.Clone(refs[:min(n, len(refs))]), err
}

// KindsSeen is the number of documents whose types are known.
const KindsSeen = 1000

// KindCache keeps the types of the fields of a sample. The zero value is empty.
type KindCache struct{ cached[map[string]Kinds] }

// Get returns the types, and reads them if they are not known or too old.
func (c *KindCache) Get(ctx context.Context, read func(context.Context) (map[string]Kinds, error)) (map[string]Kinds, error) {
	return c.get(ctx, time.Minute, read)
}
