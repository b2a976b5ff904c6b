package sets

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// qrels are judgements: grades by query and document.
type qrels map[string]map[string]int

func (q qrels) add(l line, query, document string, grade int) error {
	if q[query] == nil {
		q[query] = map[string]int{}
	}
	if _, twice := q[query][document]; twice {
		return l.fail("document %q is judged twice for query %q", document, query)
	}
	q[query][document] = grade
	return nil
}

// OpenBEIR reads a split of a folder in BEIR's format: corpus.jsonl, queries.jsonl and
// qrels/SPLIT.tsv. In MTEB's format the judgements are in qrels/SPLIT.jsonl or, for the split
// test, in qrels.jsonl. The queries are those judged in the split, in the order of
// queries.jsonl.
func OpenBEIR(dir, split string) (*Set, error) {
	s := newSet(dir, split, corpusName, readDocument)
	judged, path, err := readJudged(dir, split)
	if err != nil {
		return nil, err
	}
	type question struct {
		ID   string `json:"_id"`
		Text string `json:"text"`
	}
	err = records(filepath.Join(dir, "queries.jsonl"), "queries", func(l line, q question) error {
		relevant, ok := judged[q.ID]
		if !ok {
			return nil
		}
		if relevant == nil {
			return l.fail("two queries have the _id %q", q.ID)
		}
		judged[q.ID] = nil
		if grades(relevant).count() == 0 {
			s.Warnings = append(s.Warnings, fmt.Sprintf("query %s has no relevant documents", q.ID))
		}
		s.Queries = append(s.Queries, plain(q.ID, q.Text, relevant))
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, id := range sortedKeys(judged) {
		if judged[id] != nil {
			return nil, fmt.Errorf("reading %s: query %q is judged but not in queries.jsonl", path, id)
		}
	}
	return s, nil
}

// readJudged reads the judgements of a split and returns the path of their file.
func readJudged(dir, split string) (qrels, string, error) {
	forms := []struct {
		path string
		add  func(qrels, line) error
	}{
		{filepath.Join(dir, "qrels", split+".tsv"), qrels.addBEIR},
		{filepath.Join(dir, "qrels", split+".jsonl"), qrels.addMTEB},
	}
	if split == "test" {
		forms = append(forms, forms[1])
		forms[2].path = filepath.Join(dir, "qrels.jsonl")
	}
	var absent error
	for _, form := range forms {
		judged := qrels{}
		err := judged.read(form.path, form.add)
		if !errors.Is(err, fs.ErrNotExist) {
			return judged, form.path, err
		}
		absent = errors.Join(absent, err)
	}
	return nil, "", absent
}

// read reads the judgements of a file, line by line.
func (q qrels) read(path string, add func(qrels, line) error) error {
	for l, err := range fileLines(path) {
		if err != nil {
			return err
		}
		if err := add(q, l); err != nil {
			return err
		}
	}
	if len(q) == 0 {
		return fmt.Errorf("reading %s: it contains no judgements", path)
	}
	return nil
}

// addMTEB reads a judgement in the form of a JSON object. A grade may be written as 1.0.
func (q qrels) addMTEB(l line) error {
	var record struct {
		Query    string   `json:"query-id"`
		Document string   `json:"corpus-id"`
		Score    *float64 `json:"score"`
	}
	if err := l.decode(&record); err != nil {
		return err
	}
	if record.Query == "" || record.Document == "" || record.Score == nil {
		return l.fail("a judgement needs query-id, corpus-id and score")
	}
	grade := int(*record.Score)
	if float64(grade) != *record.Score {
		return l.fail("the grade %g is not a whole number", *record.Score)
	}
	return q.add(l, record.Query, record.Document, grade)
}

// addBEIR reads a tab-separated line of query, document and grade. The first line names the
// columns.
func (q qrels) addBEIR(l line) error {
	columns := strings.Split(strings.TrimRight(string(l.text), "\r\n"), "\t")
	if len(columns) != 3 {
		return l.fail("got %d columns, want query id, document id and grade separated by tabs", len(columns))
	}
	grade, err := strconv.Atoi(strings.TrimSpace(columns[2]))
	if err != nil {
		if l.n == 1 {
			return nil
		}
		return l.fail("the grade %q is not a whole number", columns[2])
	}
	return q.add(l, columns[0], columns[1], grade)
}
