package lab

import (
	"context"
	"fmt"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// formulas encodes the strings of formulas, each once.
func (c *Corpus) formulas(ctx context.Context, formulas []*query.Formula, style fusion.Style) ([]*retrieve.Encoded, error) {
	var strings distinct
	out := make([]*retrieve.Encoded, len(formulas))
	for i, f := range formulas {
		e := &retrieve.Encoded{Formula: f, Plan: fusion.New(f, style)}
		if len(e.Plan.Items) > 0 {
			return nil, fmt.Errorf("%s: %s stands for no words; an experiment has none such", f.Root, e.Plan.Items[0])
		}
		strings.add(e.Plan.Strings...)
		out[i] = e
	}
	vectors, err := c.encode(ctx, strings.texts)
	if err != nil {
		return nil, err
	}
	for _, e := range out {
		if e.Vectors, err = e.Plan.Vectors(strings.of(e.Plan.Strings, vectors), nil); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Formula.Root, err)
		}
	}
	return out, nil
}
