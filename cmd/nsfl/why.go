package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/spelling"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

// explain explains the rank of one document, even if it is not in the results.
func (s *searching) explain(cmd *cobra.Command, c *workspace.Handle, q *retrieve.Question) error {
	o := s.options
	o.Compare = true
	r, err := c.Searcher().Why(cmd.Context(), q, o, s.why)
	var absent *retrieve.NoDocumentError
	if errors.As(err, &absent) {
		return withNear(cmd.Context(), c.Store(), absent, absent.ID)
	}
	if err != nil {
		return err
	}
	return answer(cmd, r, func(io.Writer) {
		p := &printer{terminal: newTerminal(cmd.OutOrStdout(), s.colour), result: r, formula: q.Formula, options: s.options, studied: true}
		p.head()
		if s.plan {
			p.plan()
		}
		p.where()
		p.hits()
	})
}

// where prints the rank of the explained document, and its rank in plain retrieval.
func (p *printer) where() {
	r, h := p.result, &p.result.Hits[0]
	of := fmt.Sprintf("%d documents", r.Documents)
	if r.Ranked < r.Documents {
		of = fmt.Sprintf("the %d that were ranked", r.Ranked)
	}
	plain := fmt.Sprintf("; plain retrieval has it at rank %d", h.PlainRank)
	if h.PlainRank == 0 {
		plain = fmt.Sprintf("; plain retrieval does not have it among its first %d", r.Compared)
	}
	p.say("", "rank %d of %s%s", h.Rank, of, plain)
	if r.Candidate != nil && !*r.Candidate {
		p.say("", "%s", r.Reason)
	}
	fmt.Fprintln(p)
}

// withNear adds to the error for an unknown id the most similar ids, if they are found quickly.
func withNear(ctx context.Context, store engine.Collection, absent error, id string) error {
	const most = 100_000
	var ids []string
	for d, err := range engine.All(ctx, store, engine.Page{Limit: 1000}) {
		if err != nil || len(ids) == most {
			break // what was read will do
		}
		ids = append(ids, d.ID)
	}
	if meant := spelling.Meant(id, ids); meant != "" {
		return fmt.Errorf("%w; %s", absent, meant)
	}
	return fmt.Errorf("%w; search results show the ids", absent)
}

// withNearLike adds to the error for a like: atom without a document the most similar ids.
func withNearLike(ctx context.Context, store engine.Collection, err error, f *query.Formula) error {
	for a := range query.Atoms(f.Root) {
		if a.Kind != query.Like {
			continue
		}
		if _, missing := store.Get(ctx, a.Text, 0); errors.Is(missing, engine.ErrNotFound) {
			return withNear(ctx, store, err, a.Text)
		}
	}
	return err
}
