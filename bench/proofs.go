//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/postgres"
	"github.com/nsfl-go/nsfl/retrieve"
)

// atoms of the formulas that are measured.
var atoms = regexp.MustCompile(`\b[A-C]\b`)

// proofs searches the table as one that is attached to, until the first ten are proven: by
// pools and, where the engine would, by ranking all rows.
func (p *pushing) proofs(ctx context.Context) (pools, ranked []time.Duration, err error) {
	sign := "?"
	if strings.Contains(p.address, "?") {
		sign = "&"
	}
	table, err := postgres.Attach(ctx, p.address+sign+"table="+p.schema+".items", engine.Options{})
	if err != nil {
		return nil, nil, err
	}
	defer table.Close() //nolint:errcheck // it is only read
	for _, text := range pushedFormulas {
		text = atoms.ReplaceAllStringFunc(text, func(string) string { return fmt.Sprintf("like:%d", 1+p.random.IntN(p.rows)) })
		q, err := retrieve.Read(ctx, text, retrieve.Options{})
		if err != nil {
			return nil, nil, err
		}
		for round := range p.rounds + 1 {
			first, a, err := p.search(ctx, struct{ engine.Store }{table}, q)
			if err != nil {
				return nil, nil, err
			}
			var b time.Duration
			if table.Ranks() {
				var ids []string
				if ids, b, err = p.search(ctx, table, q); err != nil {
					return nil, nil, err
				}
				if !slices.Equal(ids, first) {
					return nil, nil, fmt.Errorf("%s: the statement's first are %v, those of pools %v", text, ids, first)
				}
			}
			if round == 0 {
				continue // it warms up
			}
			if pools = append(pools, a); table.Ranks() {
				ranked = append(ranked, b)
			}
		}
	}
	return pools, ranked, nil
}

// search is one in mode hybrid, by vectors alone.
func (p *pushing) search(ctx context.Context, store engine.Store, q *retrieve.Question) ([]string, time.Duration, error) {
	none := 0.0
	s := &retrieve.Searcher{Store: store, Encoder: wordless{}}
	start := time.Now()
	r, err := s.Search(ctx, q, retrieve.Options{K: results, AllCopies: true, Research: retrieve.Research{Mode: retrieve.Hybrid, Words: &none, Candidates: poolSize}})
	if err != nil {
		return nil, 0, err
	}
	return idsOf(r), time.Since(start), nil
}

// wordless is the encoder of formulas without words.
type wordless struct{}

func (wordless) Identity() encoder.Identity { return encoder.Identity{Name: "none"} }

func (wordless) Encode(context.Context, encoder.Role, []string) (encoder.Encoded, error) {
	return encoder.Encoded{}, errors.New("there is nothing to encode")
}
