package sets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/query"
)

// A logic set is a folder with corpus.jsonl, whose lines are Documents, and for each split a
// queries.SPLIT.jsonl, whose lines are logicQueries.
const corpusName = "corpus.jsonl"

func queriesName(split string) string { return "queries." + split + ".jsonl" }

type logicQuery struct {
	ID       string `json:"_id"`
	Template string `json:"template"`
	Formula  string `json:"formula"`
	Truth    string `json:"truth"`
}

// splits lists the splits of a logic set.
func splits(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("listing the splits of a logic set: %w", err)
	}
	var out []string
	for _, e := range entries {
		name, isQueries := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".gz"), "queries.")
		if name, isJSON := strings.CutSuffix(name, ".jsonl"); isQueries && isJSON && name != "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// OpenLogic reads the queries of a split and judges them: a document is relevant if the
// query's truth holds for its labels. It reads the corpus once for that, and keeps only the
// ids and labels.
func OpenLogic(dir, split string) (*Set, error) {
	s := newSet(dir, split, corpusName, readDocument)
	truths, where, err := s.readLogicQueries(filepath.Join(dir, queriesName(split)))
	if errors.Is(err, fs.ErrNotExist) {
		if have, listErr := splits(dir); listErr == nil && len(have) > 0 {
			return nil, fmt.Errorf("%w; the set has the splits %s", err, strings.Join(have, ", "))
		}
	}
	if err != nil {
		return nil, err
	}
	corpus, err := s.readLabels(truths)
	if err != nil {
		return nil, err
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		for a := range query.Atoms(truths[i]) {
			if corpus.having[a.Text] == nil {
				s.Warnings = append(s.Warnings, fmt.Sprintf("query %s: no document has the label %q", q.ID, a.Text))
			}
		}
		places := corpus.evaluate(truths[i])
		if count(places) == 0 {
			return nil, where[i].fail("query %s has no relevant documents: no document matches %s", q.ID, q.Truth)
		}
		q.judgements = matches{corpus, places}
	}
	return s, nil
}

// readLogicQueries returns the parsed truth of every query, and its line.
func (s *Set) readLogicQueries(path string) (truths []query.Node, where []line, err error) {
	ids := map[string]bool{}
	err = records(path, "queries", func(l line, record logicQuery) error {
		if record.ID == "" || ids[record.ID] {
			return l.fail("a query needs a unique _id, got %q", record.ID)
		}
		ids[record.ID] = true
		truth, err := record.check()
		if err != nil {
			return l.fail("query %s: %w", record.ID, err)
		}
		s.Queries = append(s.Queries, Query{ID: record.ID, Template: record.Template, Formula: record.Formula, Truth: record.Truth})
		truths, where = append(truths, truth), append(where, line{file: l.file, n: l.n})
		return nil
	})
	return truths, where, err
}

// check parses both formulas and compares them with the template if it is one of the
// paper's: a query in the wrong row would silently spoil a table.
func (r *logicQuery) check() (truth query.Node, err error) {
	for _, text := range []struct{ what, formula string }{{"formula", r.Formula}, {"truth", r.Truth}} {
		if truth, err = query.Parse(text.formula); err != nil {
			return nil, fmt.Errorf("its %s: %w", text.what, err)
		}
		if slices.Contains(Templates[:], r.Template) && TemplateOf(truth) != r.Template {
			return nil, fmt.Errorf("its %s %s does not match its template, %s", text.what, text.formula, r.Template)
		}
	}
	return truth, checkTruth(truth)
}

// readLabels reads which documents have the labels that occur in truths.
func (s *Set) readLabels(truths []query.Node) (*labelled, error) {
	wanted := map[string]bool{}
	for _, t := range truths {
		for a := range query.Atoms(t) {
			wanted[a.Text] = true
		}
	}
	corpus := newLabelled()
	for d, err := range s.Documents {
		if err != nil {
			return nil, err
		}
		if !corpus.add(d.ID, d.Labels, func(l string) bool { return wanted[l] }) {
			return nil, fmt.Errorf("reading the corpus of %s: two documents have the _id %q", s.Name, d.ID)
		}
	}
	return corpus, nil
}

// ReadCorpus reads the documents of a corpus.jsonl.
func ReadCorpus(path string) (out []Document, err error) {
	for d, err := range documents(path, readDocument) {
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func readDocument(l line) (Document, error) {
	var d Document
	if err := l.decode(&d); err != nil {
		return d, err
	}
	if d.ID == "" {
		return d, l.fail("the document has no _id")
	}
	return d, nil
}
