package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
)

// openSet opens an evaluation set of any kind, and tells what is to be known of it.
func openSet(cmd *cobra.Command, name, split string) (set *sets.Set, closing func(), err error) {
	closing = func() {}
	switch name {
	case "":
		return nil, nil, usageError{errors.New("no set is named: give a folder with --set DIR, or try --set demo")}
	case "demo":
		dir, err := os.MkdirTemp("", "nsfl-demo-")
		if err != nil {
			return nil, nil, err
		}
		closing = func() { _ = os.RemoveAll(dir) }
		name = filepath.Join(dir, "demo")
		if err := os.CopyFS(name, demo.Files()); err != nil {
			closing()
			return nil, nil, err
		}
	}
	if set, err = openKind(name, split); err != nil {
		closing()
		return nil, nil, err
	}
	for _, w := range set.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", w)
	}
	return set, closing, nil
}

// openKind tells the kind of a set by its files.
func openKind(dir, split string) (*sets.Set, error) {
	has := func(name string) bool {
		for _, ending := range []string{"", ".gz"} {
			if _, err := os.Stat(filepath.Join(dir, name+ending)); err == nil {
				return true
			}
		}
		return false
	}
	switch {
	case has("documents.jsonl"):
		set, err := sets.OpenQUEST(dir, split)
		if err != nil {
			return nil, err
		}
		// The paper's tables have the six templates of logic.
		set.Queries = slices.DeleteFunc(set.Queries, func(q sets.Query) bool { return q.Template == sets.Single })
		return set, nil
	case has("queries.jsonl") && has("qrels"):
		return sets.OpenBEIR(dir, split)
	case has("corpus.jsonl"):
		return sets.OpenLogic(dir, split)
	}
	return nil, fmt.Errorf("%s is not a set: there is neither corpus.jsonl nor documents.jsonl in it", dir)
}

// titlesOf keeps the title, or the first words, of each document.
func titlesOf(set *sets.Set) (func(string) string, error) {
	titles := map[string]string{}
	for d, err := range set.Documents {
		if err != nil {
			return nil, err
		}
		title := d.Title
		if title == "" {
			title = strings.Join(d.Passages, " ")
		}
		titles[d.ID] = clip(title, 80)
	}
	return func(id string) string { return titles[id] }, nil
}

// writeRun writes rankings in TREC's format. Scores fall by rank, so that ties
// stay as they were broken.
func writeRun(w io.Writer, o lab.Outcome) error {
	run := sets.Run{Tag: "nsfl-" + o.Method.String(), Results: map[string][]sets.Scored{}}
	for i := range o.Queries {
		q := &o.Queries[i]
		for rank, id := range q.Ranking {
			run.Results[q.Query.ID] = append(run.Results[q.Query.ID], sets.Scored{ID: id, Score: float64(lab.Depth - rank)})
		}
	}
	return sets.WriteRun(w, &run)
}
