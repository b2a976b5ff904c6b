package mcp

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
)

const parseDescription = `Check a query without searching: its interpretation, or its error.`

type parseArgs struct {
	Query string `json:"query" jsonschema:"as in search"`
	NL    string `json:"nl,omitempty"`
}

type parseAnswer struct {
	Understood []string `json:"understood,omitempty"`
	Formula    string   `json:"formula,omitempty" jsonschema:"ranks documents; without it nothing can be searched"`
	Filter     string   `json:"filter,omitempty"`
	Strings    []string `json:"strings,omitempty" jsonschema:"that documents are compared with"`
	Notes      []string `json:"notes,omitempty"`
}

func (t *tools) addParse(s *sdk.Server) {
	def := define[parseArgs, parseAnswer]("parse", "Check a query", parseDescription, `{"query": "dog AND NOT leash"}`, looks, func(in map[string]*jsonschema.Schema) { ways(in["nl"]) })
	tool(t, s, def, t.options.Limits.SearchTime, t.parse)
}

func (t *tools) parse(ctx context.Context, in parseArgs) (out parseAnswer, err error) {
	q, err := question(ctx, in.Query, in.NL)
	if err != nil {
		return out, err
	}
	m := fusion.New(q.Formula, fusion.Simple).Meaning(q.Formula)
	out = parseAnswer{Understood: q.Understood, Formula: m.Formula, Filter: m.Filter, Strings: m.Strings}
	if out.Understood == nil { // otherwise the atoms come from the parser of plain language
		out.Notes = query.Hints(q.Formula.Root)
	}
	if out.Formula == "" && !query.HasPatterns(q.Formula.Filter) {
		out.Notes = append(out.Notes, "there is nothing to rank by: add words to the conditions")
	}
	return out, nil
}
