package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
)

const parseDescription = `Check a formula without searching: what is understood, in normal form, or where it is wrong. Or read plain English ("films about space but not aliens") into a formula for search, by rules, with notes on what was understood.`

type parseArgs struct {
	Formula string `json:"formula,omitempty" jsonschema:"a formula to check; this or plain"`
	Plain   string `json:"plain,omitempty" jsonschema:"plain English to read into a formula; this or formula"`
}

type parseAnswer struct {
	Formula string   `json:"formula" jsonschema:"for search"`
	Ranks   string   `json:"ranks,omitempty" jsonschema:"the part that ranks, in normal form; without it there is nothing to search by"`
	Filter  string   `json:"filter,omitempty" jsonschema:"the conditions on metadata"`
	Strings []string `json:"strings,omitempty" jsonschema:"what documents are compared with"`
	Notes   []string `json:"notes,omitempty" jsonschema:"what was understood, and what may not be as it was meant"`
}

func (t *tools) addParse(s *sdk.Server) {
	def := define[parseArgs, parseAnswer]("parse", "Check or make a formula", parseDescription, looks, nil)
	tool(t, s, def, t.options.Limits.SearchTime, t.parse)
}

func (t *tools) parse(ctx context.Context, in parseArgs) (out parseAnswer, text string, err error) {
	if (in.Formula == "") == (in.Plain == "") {
		return out, "", advise("give either formula, to be checked, or plain, to be read into a formula")
	}
	out.Formula = in.Formula
	if in.Plain != "" {
		r, err := nl.As(ctx, in.Plain, nl.Rules, nil)
		if err != nil {
			return out, "", err
		}
		out.Formula, out.Notes = r.Node.String(), r.Notes
	}
	f, err := formula(out.Formula)
	if err != nil {
		return out, "", err
	}
	out.read(f)
	return out, out.text(), nil
}

func (a *parseAnswer) read(f *query.Formula) {
	if f.Filter != nil {
		a.Filter = f.Filter.String()
	}
	a.Notes = append(a.Notes, query.Hints(f.Root)...)
	if f.Root == nil {
		a.Notes = append(a.Notes, "there is nothing to rank by: add a word or more beside the conditions")
		return
	}
	a.Ranks, a.Strings = f.Root.String(), fusion.New(f, fusion.Simple).Strings
}

func (a *parseAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "formula: %s\n", a.Formula)
	if a.Ranks != "" {
		fmt.Fprintf(&b, "ranks by: %s\n", a.Ranks)
	}
	if a.Filter != "" {
		fmt.Fprintf(&b, "only where: %s\n", a.Filter)
	}
	for _, note := range a.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	return b.String()
}
