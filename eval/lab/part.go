package lab

import (
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// Part returns a smaller set for slow encoders: the first documents of a set, and every n-th
// of its queries, starting with the first. 0 keeps all of either. Relevance is judged among
// the remaining documents; queries without relevant documents are dropped with a warning.
func Part(set *sets.Set, documents, every int) (*sets.Set, error) {
	if documents < 0 || every < 0 {
		return nil, fmt.Errorf("taking a part of %s: got %d documents and every %d-th query; neither may be negative", set.Name, documents, every)
	}
	part := *set
	part.Queries = slices.Clone(set.Queries)
	if every > 1 {
		at := -1
		part.Queries = slices.DeleteFunc(part.Queries, func(sets.Query) bool { at++; return at%every != 0 })
	}
	if documents == 0 {
		return &part, nil
	}
	part.Documents = func(yield func(sets.Document, error) bool) {
		n := 0
		for d, err := range set.Documents {
			if n++; n > documents || !yield(d, err) {
				return
			}
		}
	}
	return &part, judge(&part)
}

// judge restricts the relevant documents of queries to those in the set.
func judge(set *sets.Set) error {
	has := map[string]bool{}
	for d, err := range set.Documents {
		if err != nil {
			return err
		}
		has[d.ID] = true
	}
	before := len(set.Queries)
	set.Queries = slices.DeleteFunc(set.Queries, func(q sets.Query) bool {
		for id := range q.Relevant() {
			if has[id] {
				return false
			}
		}
		return true
	})
	for i := range set.Queries {
		grades := map[string]int{}
		for id, g := range set.Queries[i].Relevant() {
			if has[id] {
				grades[id] = g
			}
		}
		set.Queries[i].SetGrades(grades)
	}
	if len(set.Queries) == 0 {
		return fmt.Errorf("taking a part of %s: no query has relevant documents among the first %d; take more documents", set.Name, len(has))
	}
	if left := before - len(set.Queries); left > 0 {
		set.Warnings = append(slices.Clone(set.Warnings), fmt.Sprintf("%d of %d queries of %s have no relevant documents among the first %d and are left out", left, before, set.Name, len(has)))
	}
	return nil
}
