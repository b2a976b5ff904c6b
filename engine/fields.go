package engine

import (
	"context"
	"maps"
	"slices"
)

// Fields describes the metadata of the documents of a store.
type Fields struct {
	Fields []Field `json:"fields" nullable:"false" doc:"by name"`
	// Documents is the number of documents examined. All is false if they are a sample, which
	// may miss a rare field.
	Documents int  `json:"documents" doc:"that were looked at"`
	All       bool `json:"all" doc:"they are all there are; otherwise a sample, which may miss a field that few documents have"`
	More      bool `json:"more,omitempty" doc:"there are further fields, more than are told"`
}

// MaxFields is how many are told.
const MaxFields = 1000

// Field is a field of metadata, as predicates see it.
type Field struct {
	Name      string    `json:"name"`
	Kind      FieldKind `json:"kind" enum:"string,number,bool,time,mixed,unknown" doc:"mixed where documents differ, unknown where none that was looked at has a value"`
	List      bool      `json:"list,omitempty" doc:"some document has several values"`
	Documents int       `json:"documents" doc:"that have it, of those that were looked at"`
	// Least and Most are of numbers, and of times.
	Least  string   `json:"least,omitempty" doc:"of numbers and times"`
	Most   string   `json:"most,omitempty" doc:"of numbers and times"`
	Values []string `json:"values,omitempty" doc:"some of them, where they are short"`
}

// FieldKind is the type of the values of a field. Texts that read as numbers are numbers, as
// in predicates.
type FieldKind string

// The kinds of fields.
const (
	Unknown FieldKind = "unknown"
	String  FieldKind = "string"
	Number  FieldKind = "number"
	Bool    FieldKind = "bool"
	Time    FieldKind = "time" // an ISO date, alone or with the time of the day
	Mixed   FieldKind = "mixed"
)

// Described is a store that knows the fields of all its documents' metadata.
type Described interface {
	// FieldNames returns the names in order, MaxFields at most; more is true if there are
	// others. It is cheap, and may include names that only deleted documents had.
	FieldNames(ctx context.Context) (names []string, more bool, err error)

	// Fields are the fields of the documents that there are. It may read all of them once
	// after each write.
	Fields(ctx context.Context) (*Fields, error)
}

// Catalogued is a store whose catalogue names what metadata may have, whether or not a
// document has it.
type Catalogued interface {
	// Catalogue returns the names of fields, and the columns that are parts of documents
	// rather than metadata, such as the title, with their roles.
	Catalogue() (fields []string, parts map[string]string)
}

// fieldSample is how many documents are looked at where a store is not Described.
const fieldSample = 1000

// FieldsOf returns the fields of a store's documents, from the store's catalogue or from a
// sample.
func FieldsOf(ctx context.Context, s Store) (*Fields, error) {
	if d := CapabilitiesOf(s).Described; d != nil {
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
	seen := map[string]*FieldSketch{}
	if c := CapabilitiesOf(s).Catalogued; c != nil {
		names, _ := c.Catalogue()
		for _, name := range names {
			seen[name] = &FieldSketch{Field: Field{Name: name}}
		}
	}
	out := &Fields{}
	err = Visit(ctx, s, refs, Metadata, func(_ int, d *Document) {
		if d.ID == "" {
			return
		}
		out.Documents++
		values, problem := Values(d.Metadata)
		if problem != nil { // what another has written need not be an object
			return
		}
		for i, v := range values {
			f := seen[v.Field]
			if f == nil {
				f = &FieldSketch{Field: Field{Name: v.Field}}
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
	out.More = len(names) > MaxFields
	for _, name := range names[:min(len(names), MaxFields)] {
		out.Fields = append(out.Fields, seen[name].Told())
	}
	return out, nil
}

// Names returns the names of the fields.
func (f *Fields) Names() (names []string) {
	for i := range f.Fields {
		names = append(names, f.Fields[i].Name)
	}
	return names
}

// FieldSketch collects the values of a field.
type FieldSketch struct {
	Field
	least, most float64
}

// How many values are shown of a field, and how long one is that is shown.
const (
	shownValues = 6
	shownValue  = 60
)

// Add notes a value. That of another field is not looked for.
func (f *FieldSketch) Add(v Value) {
	kind := v.kind()
	first := f.Kind == "" || f.Kind == Unknown
	switch {
	case first:
		f.Kind = kind
	case f.Kind == kind:
	case isText(f.Kind) && isText(kind): // the text "true" is a text
		f.Kind = String
	default:
		f.Kind = Mixed
	}
	switch {
	case kind == Number && (f.Least == "" || v.Number < f.least):
		f.Least, f.least = v.Text, v.Number
	case kind == Time && (f.Least == "" || v.Text < f.Least):
		f.Least = v.Text
	}
	switch {
	case kind == Number && (f.Most == "" || v.Number > f.most):
		f.Most, f.most = v.Text, v.Number
	case kind == Time && v.Text > f.Most:
		f.Most = v.Text
	}
	if len(f.Values) < shownValues && v.Text != "" && len(v.Text) <= shownValue && !slices.Contains(f.Values, v.Text) {
		f.Values = append(f.Values, v.Text)
	}
}

// Told is the field.
func (f *FieldSketch) Told() Field {
	out := f.Field
	if out.Kind == "" {
		out.Kind = Unknown
	}
	if out.Kind != Number && out.Kind != Time {
		out.Least, out.Most = "", ""
	}
	return out
}

// isText reports whether values of a kind are texts that are not numbers.
func isText(k FieldKind) bool { return k == String || k == Bool || k == Time }

// kind returns the kind of a single value.
func (v *Value) kind() FieldKind {
	switch {
	case v.IsNumber:
		return Number
	case v.Text == "true" || v.Text == "false":
		return Bool
	case IsTime(v.Text):
		return Time
	}
	return String
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
