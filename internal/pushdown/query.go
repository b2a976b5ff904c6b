package pushdown

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/query"
)

// Query is a query to translate.
type Query struct {
	Score   *Score
	Vectors [][]float32 // by term; those that are not read may be nil
	// Near are the vectors that candidates are near to, with Candidates for each. If empty,
	// all documents are ranked.
	Near       [][]float32
	Candidates int
	K          int // results
	Filter     query.Node
	Names      Names
	Notes      []string // on where the vectors are from, for comments
	// Inline writes vectors and values in place instead of parameters.
	Inline bool
}

// Names are the names of tables, columns and fields in the other system.
type Names struct {
	Table    string // a table, an index, a collection; SQL knows schema.table
	ID       string // the column that identifies a row of SQL; empty: id
	Vector   string // the column or field of vectors; empty: embedding, or the one of a system that needs no name
	Metadata string // the column of JSON objects that predicates are about; empty: columns of their own
	// Types are the types of columns in predicates, by name, as the other system names them. A
	// column without a type has numbers if a predicate compares it with a number, and strings
	// otherwise.
	Types map[string]string
}

// Output is a translated query.
type Output struct {
	Target string `json:"target"`
	// Text is the whole output with comments.
	Text string `json:"-"`
	// Statement is the SQL statement.
	Statement string `json:"statement,omitempty"`
	// Settings must be set before the statement is run.
	Settings []Setting `json:"settings,omitempty"`
	// Requests are made in order. The responses to all but the last are the values of
	// parameters.
	Requests   []Request   `json:"requests,omitempty"`
	Parameters []Parameter `json:"parameters,omitempty"`
	Columns    []string    `json:"columns,omitempty"` // of the result
	// Offset was added to scores that must not be negative.
	Offset float64  `json:"offset,omitempty"`
	Notes  []string `json:"notes,omitempty"` // notes for the user
}

// Setting is a session setting.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Request is an HTTP request.
type Request struct {
	For    string `json:"for"` // the purpose of the request
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   any    `json:"body"`
}

// Parameter is a value to insert for its name.
type Parameter struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Of    string `json:"of"`              // its meaning
	Value any    `json:"value,omitempty"` // nil: a response gives it
}

type parameters struct{ list []Parameter }

func (p *parameters) add(kind, of string, value any) *Parameter {
	p.list = append(p.list, Parameter{fmt.Sprintf("$%d", len(p.list)+1), kind, of, value})
	return &p.list[len(p.list)-1]
}

func (q *Query) term(i int) string { return comment(q.Score.Formula.Terms.Name(i)) }

// about returns notes that apply to every target.
func (q *Query) about() (out []string) {
	for _, note := range q.Notes {
		out = append(out, comment(note))
	}
	if len(q.Near) == 0 {
		return append(out, "All documents are ranked, by vectors alone: words are not counted.")
	}
	return append(out, fmt.Sprintf("A pool of %d is ranked, by vectors alone: words are not counted.", q.Candidates))
}

func (q *Query) near(j int) string {
	if len(q.Near) == 1 {
		return "vector to find candidates by"
	}
	return fmt.Sprintf("vector to find candidates by, %d of %d", j+1, len(q.Near))
}

// check returns an error for queries that no system supports.
func (q *Query) check() error {
	switch {
	case q.Names.Table == "":
		return errors.New("no table, index or collection is named")
	case q.K < 1:
		return fmt.Errorf("%d results are wanted: 1 at least", q.K)
	case len(q.Near) > 0 && q.Candidates < 1:
		return fmt.Errorf("a pool of %d is wanted: 1 at least", q.Candidates)
	}
	for _, t := range q.Score.Terms {
		if len(q.Vectors[t]) == 0 {
			return fmt.Errorf("there is no vector of %s", q.term(t))
		}
	}
	return checkFilter(q.Filter)
}

// comment makes a text safe for a one-line comment.
func comment(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	return strings.ReplaceAll(text, "*/", "* /")
}

func vectorText(v []float32) string {
	b := make([]byte, 0, 12*len(v))
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	return string(append(b, ']'))
}

func jsonText(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic("pushdown: " + err.Error()) // a string is always JSON
	}
	return string(b)
}

// checkName returns an error for names with control characters.
func checkName(name string) error {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("%q is no name of a table, a column or a field", name)
	}
	return nil
}
