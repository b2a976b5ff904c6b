package remote

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
)

// Kind classifies columns by their use.
type Kind uint8

// The kinds of columns.
const (
	Other  Kind = iota // it cannot be read here
	Text               // strings
	Value              // numbers, truth values, times: what predicates compare
	Object             // JSON
	Vector
)

// Column is one that an engine's catalogue has.
type Column struct {
	Name string
	Type string // in the engine's own words
	Kind Kind
	Key  bool // it identifies a row
}

// Roles are the columns that stand for the parts of a document, by name. Title, Text
// and Metadata may be empty: there is no such column.
type Roles struct {
	ID, Vector, Text, Title string
	// Metadata is a column of JSON objects. Its fields are metadata, and so are the columns
	// without a role.
	Metadata string
}

// setting is a role with its name in addresses.
type setting struct {
	name string
	role *string
}

func (r *Roles) settings() []setting {
	return []setting{{"id", &r.ID}, {"vector", &r.Vector}, {"text", &r.Text}, {"title", &r.Title}, {"metadata", &r.Metadata}}
}

// ReadRoles takes the roles out of an address's settings.
func ReadRoles(settings url.Values) (r Roles) {
	for _, s := range r.settings() {
		*s.role = settings.Get(s.name)
		settings.Del(s.name)
	}
	return r
}

// Escape escapes a value for an address. A space is %20, since not all engines read + as one.
func Escape(value string) string { return strings.ReplaceAll(url.QueryEscape(value), "+", "%20") }

func (r Roles) String() string {
	var out []string
	for _, s := range r.settings() {
		if *s.role != "" {
			out = append(out, s.name+"="+Escape(*s.role))
		}
	}
	return strings.Join(out, "&")
}

// The usual names of columns, the most specific first.
var (
	textNames  = []string{"text", "body", "content", "document", "page_content", "passage", "chunk", "abstract", "description", "summary", "caption", "message"}
	titleNames = []string{"title", "name", "headline", "heading", "subject"}
	idNames    = []string{"id", "uuid", "_id", "key", "slug", "url", "path"}
	// LangChain has cmetadata and langchain_metadata.
	metadataNames = []string{"metadata", "cmetadata", "langchain_metadata"}
)

// Fill assigns the missing roles: the only vector, the key, and texts by the usual names of
// columns. If a choice is left, the error lists the columns and proposes an address. The
// place of the store must not contain secrets.
func (r Roles) Fill(place string, columns []Column) (Roles, error) {
	// A vector may be called as the text that it was made of.
	find := func(name string, vector bool) (found *Column) {
		for i := range columns {
			if c := &columns[i]; c.Name == name && (found == nil || (c.Kind == Vector) == vector) {
				found = c
			}
		}
		return found
	}
	wanted := r
	for _, s := range wanted.settings() {
		c := find(*s.role, s.name == "vector")
		switch {
		case *s.role == "":
		case c == nil:
			return r, r.question(place, columns, "there is no column %q for the %s", *s.role, s.name)
		case s.name == "vector" && c.Kind != Vector:
			return r, r.question(place, columns, "the column %q is of type %s and holds no vectors", c.Name, c.Type)
		case s.name == "metadata" && c.Kind != Object:
			return r, r.question(place, columns, "the column %q is of type %s and not a JSON object", c.Name, c.Type)
		case s.name != "vector" && c.Kind == Vector, c.Kind == Other:
			return r, r.question(place, columns, "the column %q is of type %s and cannot be the %s", c.Name, c.Type, s.name)
		}
	}
	taken := func(name string) bool {
		return slices.Contains([]string{r.ID, r.Text, r.Title, r.Metadata}, name)
	}
	if r.Vector == "" {
		vectors := named(columns, Vector)
		if len(vectors) != 1 {
			return r, r.question(place, columns, "%s", several(len(vectors), "vector"))
		}
		r.Vector = vectors[0]
	}
	if r.ID == "" {
		for _, c := range columns {
			if c.Key && (c.Kind == Text || c.Kind == Value) {
				if r.ID != "" {
					return wanted, wanted.question(place, columns, "the key has several columns")
				}
				r.ID = c.Name
			}
		}
		if r.ID == "" {
			r.ID = byName(columns, idNames, func(c *Column) bool { return c.Kind == Text || c.Kind == Value })
		}
		if r.ID == "" {
			return wanted, wanted.question(place, columns, "nothing says which column identifies a row")
		}
	}
	free := func(c *Column) bool { return c.Kind == Text && !taken(c.Name) }
	if r.Text == "" {
		if r.Text = byName(columns, textNames, free); r.Text == "" {
			if texts := slices.DeleteFunc(named(columns, Text), taken); len(texts) == 1 {
				r.Text = texts[0]
			}
		}
	}
	if r.Title == "" {
		r.Title = byName(columns, titleNames, free)
	}
	if r.Metadata == "" && len(named(columns, Object)) == 1 {
		r.Metadata = byName(columns, metadataNames, func(c *Column) bool { return c.Kind == Object })
	}
	return r, nil
}

func byName(columns []Column, names []string, suited func(*Column) bool) string {
	for _, name := range names {
		for i := range columns {
			if strings.EqualFold(columns[i].Name, name) && suited(&columns[i]) {
				return columns[i].Name
			}
		}
	}
	return ""
}

func named(columns []Column, kind Kind) (out []string) {
	for _, c := range columns {
		if c.Kind == kind {
			out = append(out, c.Name)
		}
	}
	return out
}

func several(n int, what string) string {
	if n == 0 {
		return "no column holds a " + what
	}
	return fmt.Sprintf("%d columns hold a %s: say which", n, what)
}

// question returns the error that asks for roles. It lists the columns and proposes an
// address.
func (r Roles) question(place string, columns []Column, problem string, args ...any) error {
	var b strings.Builder
	fmt.Fprintf(&b, problem, args...)
	b.WriteString(". It has these columns:\n")
	for _, c := range columns {
		fmt.Fprintf(&b, "    %-24s %s", c.Name, c.Type)
		if c.Key {
			b.WriteString(", key")
		}
		b.WriteByte('\n')
	}
	guess := Roles{
		ID:     byName(columns, idNames, func(c *Column) bool { return c.Kind == Text || c.Kind == Value }),
		Text:   byName(columns, textNames, func(c *Column) bool { return c.Kind == Text }),
		Title:  byName(columns, titleNames, func(c *Column) bool { return c.Kind == Text }),
		Vector: "COLUMN",
	}
	if guess.ID == "" {
		guess.ID = "COLUMN"
	}
	if vectors := named(columns, Vector); len(vectors) > 0 {
		guess.Vector = vectors[0]
	}
	join := "&"
	if !strings.Contains(place, "?") {
		join = "?"
	}
	fmt.Fprintf(&b, "Say which they are, for instance %s%s%s", place, join, guess)
	return engine.BadInput("its columns", "%s", b.String())
}

// Fields returns the columns that are metadata, and the role of each column that is another
// part of documents. A field of a JSON column may have the name of such a part.
func (r *Roles) Fields(columns []Column) (fields []string, parts map[string]string) {
	of := map[string]string{r.ID: "id", r.Text: "text", r.Title: "title"}
	parts = map[string]string{}
	for _, c := range columns {
		switch part := of[c.Name]; {
		case c.Kind != Text && c.Kind != Value:
		case part == "":
			fields = append(fields, c.Name)
		case r.Metadata == "":
			parts[c.Name] = part
		}
	}
	return fields, parts
}
