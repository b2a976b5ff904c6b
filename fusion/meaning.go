package fusion

import "github.com/nsfl-go/nsfl/query"

// Meaning describes how a formula was understood, before anything is encoded.
type Meaning struct {
	Formula    string   `json:"formula,omitempty" doc:"the normal form"`
	Filter     string   `json:"filter,omitempty" doc:"the hard predicates"`
	Strings    []string `json:"strings" nullable:"false" doc:"to be encoded"`
	Items      []string `json:"items,omitempty" doc:"atoms without words, to be looked up"`
	Monolithic string   `json:"monolithic,omitempty" doc:"the string of plain retrieval"`
}

// Meaning describes the planned formula f.
func (p *Plan) Meaning(f *query.Formula) Meaning {
	m := Meaning{Strings: append([]string{}, p.Strings...)}
	if f.Filter != nil {
		m.Filter = f.Filter.String()
	}
	for _, item := range p.Items {
		m.Items = append(m.Items, item.String())
	}
	if f.Root != nil {
		m.Formula = f.Root.String()
		m.Monolithic = p.StringOf(f.Terms.Index(f.Monolithic()))
	}
	return m
}
