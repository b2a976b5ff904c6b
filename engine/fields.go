package engine

import "context"

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

// Names returns the names of the fields.
func (f *Fields) Names() (names []string) {
	for i := range f.Fields {
		names = append(names, f.Fields[i].Name)
	}
	return names
}
