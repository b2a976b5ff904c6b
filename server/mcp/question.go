package mcp

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// ways sets how a query can be parsed. The agent is a model itself, so there is no nl llm.
func ways(s *jsonschema.Schema) {
	oneOf(s, nl.Auto.String(), nl.Off.String(), nl.Rules.String())
}

// question parses a query. It rejects pictures, which would be files of the server's machine.
func question(ctx context.Context, text, way string) (*retrieve.Question, error) {
	var o retrieve.Options
	if err := o.PlainLanguage.UnmarshalText([]byte(way)); err != nil {
		return nil, advise("%v", err)
	}
	q, err := retrieve.Read(ctx, text, o)
	if err != nil {
		return nil, err
	}
	for a := range query.Atoms(q.Formula.Root) {
		if a.Kind == query.Image {
			return nil, advise("%s cannot be used here: describe the picture in words, or use like:ID with a document of the collection", a)
		}
	}
	return q, nil
}
