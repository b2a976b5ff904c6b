package fieldstats

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// fieldSample is how many documents are looked at where a store is not Described.
const fieldSample = 1000

// FieldsOf returns the fields of a store's documents, from the store's catalogue or from a
// sample.
func FieldsOf(ctx context.Context, s engine.Store) (*engine.Fields, error) {
	if d := engine.CapabilitiesOf(s).Described; d != nil {
		return d.Fields(ctx)
	}
	refs, err := s.Sample(ctx, fieldSample)
	if err != nil {
		return nil, err
	}
	size, err := s.Size(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]*Sketch{}
	if c := engine.CapabilitiesOf(s).Catalogued; c != nil {
		names, _ := c.Catalogue()
		for _, name := range names {
			seen[name] = &Sketch{Field: engine.Field{Name: name}}
		}
	}
	out := &engine.Fields{}
	err = engine.Visit(ctx, s, refs, engine.Metadata, func(_ int, d *engine.Document) {
		if d.ID == "" {
			return
		}
		out.Documents++
		values, problem := predicate.Values(d.Metadata)
		if problem != nil { // what another has written need not be an object
			return
		}
		for i, v := range values {
			f := seen[v.Field]
			if f == nil {
				f = &Sketch{Field: engine.Field{Name: v.Field}}
				seen[v.Field] = f
			}
			if i == 0 || values[i-1].Field != v.Field {
				f.Documents++
			} else {
				f.List = true
			}
			f.Add(v)
		}
	})
	if err != nil {
		return nil, err
	}
	out.All = out.Documents >= size.Documents
	names := slices.Sorted(maps.Keys(seen))
	out.More = len(names) > engine.MaxFields
	for _, name := range names[:min(len(names), engine.MaxFields)] {
		out.Fields = append(out.Fields, seen[name].Told())
	}
	return out, nil
}

// Sketch collects the values of a field.
type Sketch struct {
	engine.Field
	least, most float64
}

// How many values are shown of a field, and how long one is that is shown.
const (
	shownValues = 6
	shownValue  = 60
)

// Add notes a value. That of another field is not looked for.
func (f *Sketch) Add(v predicate.Value) {
	kind := kindOf(&v)
	first := f.Kind == "" || f.Kind == engine.Unknown
	switch {
	case first:
		f.Kind = kind
	case f.Kind == kind:
	case isText(f.Kind) && isText(kind): // the text "true" is a text
		f.Kind = engine.String
	default:
		f.Kind = engine.Mixed
	}
	switch kind {
	case engine.Number:
		if f.Least == "" || v.Number < f.least {
			f.Least, f.least = v.Text, v.Number
		}
		if f.Most == "" || v.Number > f.most {
			f.Most, f.most = v.Text, v.Number
		}
	case engine.Time:
		f.Least, f.Most = min(cmp.Or(f.Least, v.Text), v.Text), max(f.Most, v.Text)
	}
	if len(f.Values) < shownValues && v.Text != "" && len(v.Text) <= shownValue && !slices.Contains(f.Values, v.Text) {
		f.Values = append(f.Values, v.Text)
	}
}

func (f *Sketch) Told() engine.Field {
	out := f.Field
	out.Kind = cmp.Or(out.Kind, engine.Unknown)
	if out.Kind != engine.Number && out.Kind != engine.Time {
		out.Least, out.Most = "", ""
	}
	return out
}

// isText reports whether values of a kind are texts that are not numbers.
func isText(k engine.FieldKind) bool {
	return k == engine.String || k == engine.Bool || k == engine.Time
}

func kindOf(v *predicate.Value) engine.FieldKind {
	switch {
	case v.IsNumber:
		return engine.Number
	case v.Text == "true" || v.Text == "false":
		return engine.Bool
	case IsTime(v.Text):
		return engine.Time
	}
	return engine.String
}

// IsTime reports whether a text is an ISO date, alone or with a time of the day: such texts
// compare as the times that they stand for.
func IsTime(text string) bool {
	const day = "0000-00-00"
	if len(text) < len(day) || len(text) > 40 {
		return false
	}
	for i, c := range []byte(text) {
		digit := '0' <= c && c <= '9'
		switch {
		case i < len(day) && day[i] == '0' && !digit, i < len(day) && day[i] == '-' && c != '-':
			return false
		case i == len(day) && c != 'T' && c != ' ':
			return false
		case i > len(day) && !digit && c != ':' && c != '.' && c != '+' && c != '-' && c != 'Z':
			return false
		}
	}
	month, date := text[5:7], text[8:10]
	return "01" <= month && month <= "12" && "01" <= date && date <= "31"
}
