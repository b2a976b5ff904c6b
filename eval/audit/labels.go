package audit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
)

// labelled maps documents to labels. Documents are identified by their index in the corpus,
// labels by their index in names.
type labelled struct {
	names  []string
	number map[string]int
	of     [][]int // labels of each document
}

func readLabels(set *sets.Set, corpus *lab.Corpus) (*labelled, error) {
	c := &labelled{number: map[string]int{}}
	var own [][]string
	for d, err := range set.Documents {
		if err != nil {
			return nil, err
		}
		if n := len(own); n >= len(corpus.IDs) || corpus.IDs[n] != d.ID {
			return nil, fmt.Errorf("the vectors do not belong to the set: document %d is %q there", n+1, d.ID)
		}
		own = append(own, d.Labels)
		c.names = append(c.names, d.Labels...)
	}
	if len(c.names) == 0 {
		return nil, errors.New("no document of the set has labels, which an audit requires; use a logic set")
	}
	slices.Sort(c.names)
	c.names = slices.Compact(c.names)
	for i, name := range c.names {
		c.number[name] = i
	}
	for _, labels := range own {
		var of []int
		for _, l := range labels {
			of = append(of, c.number[l])
		}
		slices.Sort(of)
		c.of = append(c.of, slices.Compact(of))
	}
	return c, nil
}

func (c *labelled) has(document, label int) bool {
	_, found := slices.BinarySearch(c.of[document], label)
	return found
}
