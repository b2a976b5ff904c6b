package sets

import (
	"path/filepath"
	"slices"

	"github.com/nsfl-go/nsfl/query"
)

// knownQuery is a line of a known-item set's queries.SPLIT.jsonl.
type knownQuery struct {
	ID       string   `json:"_id"`
	Kind     string   `json:"kind"`
	Sentence string   `json:"sentence"`
	Formula  string   `json:"formula"`
	Targets  []string `json:"targets"`
	About    []string `json:"about_excluded"`
}

// OpenKnown reads a split of a known-item set: corpus.jsonl, whose documents are whole
// pages, and queries.SPLIT.jsonl. Each query has a sentence and a formula for the same
// need, the pages a person wants (targets), and the pages about what the query excludes
// (about_excluded). The template of a query is its kind.
func OpenKnown(dir, split string) (*Set, error) {
	s := newSet(dir, split, corpusName, readDocument)
	seen := map[string]bool{}
	err := records(filepath.Join(dir, queriesName(split)), "queries", func(l line, q knownQuery) error {
		switch _, err := query.ParseFormula(q.Formula); {
		case q.ID == "" || seen[q.ID]:
			return l.fail("the _id %q is empty or used twice", q.ID)
		case err != nil:
			return l.fail("query %s: %w", q.ID, err)
		case q.Kind == "" || q.Sentence == "" || len(q.Targets) == 0:
			return l.fail("query %s needs a kind, a sentence and targets", q.ID)
		}
		seen[q.ID] = true
		relevant := grades{}
		for _, id := range q.Targets {
			relevant[id] = 1
		}
		s.Queries = append(s.Queries, Query{
			ID: q.ID, Template: q.Kind, Text: q.Sentence, Formula: q.Formula,
			AboutExcluded: slices.Clone(q.About), judgements: relevant,
		})
		return nil
	})
	return s, err
}

// IsKnown reports whether a folder holds a known-item set.
func IsKnown(dir, split string) bool {
	for l, err := range fileLines(filepath.Join(dir, queriesName(split))) {
		var q knownQuery
		return err == nil && l.decode(&q) == nil && len(q.Targets) > 0
	}
	return false
}
