package sets

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// OpenBEIR reads a split of a folder in BEIR's form: corpus.jsonl, queries.jsonl
// and qrels/SPLIT.tsv. The queries are those that the split judges, in the order of
// queries.jsonl.
func OpenBEIR(dir, split string) (*Set, error) {
	s := &Set{
		Name:      filepath.Base(filepath.Clean(dir)),
		Split:     split,
		Documents: documents(filepath.Join(dir, corpusName), readBEIRDocument),
	}
	judged := Qrels{}
	path := filepath.Join(dir, "qrels", split+".tsv")
	for l, err := range fileLines(path) {
		if err != nil {
			return nil, err
		}
		if err := judged.addBEIR(l); err != nil {
			return nil, err
		}
	}
	if len(judged) == 0 {
		return nil, fmt.Errorf("reading %s: there are no judgements in it", path)
	}
	type query struct {
		ID   string `json:"_id"`
		Text string `json:"text"`
	}
	err := records(filepath.Join(dir, "queries.jsonl"), "queries", func(l line, q query) error {
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
		s.Queries = append(s.Queries, Query{ID: q.ID, Text: q.Text, judgements: grades(relevant)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, id := range sortedKeys(judged) {
		if judged[id] != nil {
			return nil, fmt.Errorf("reading %s: query %q is judged there and is not in queries.jsonl", path, id)
		}
	}
	return s, nil
}

// addBEIR reads "query, document, grade", separated by tabs. The first line names
// the columns.
func (q Qrels) addBEIR(l line) error {
	columns := strings.Split(strings.TrimRight(string(l.text), "\r\n"), "\t")
	if len(columns) != 3 {
		return l.fail("a judgement is a query's id, a document's id and a grade with tabs between them; there are %d columns", len(columns))
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

func readBEIRDocument(l line) (Document, error) {
	var record struct {
		ID       string          `json:"_id"`
		Title    string          `json:"title"`
		Text     string          `json:"text"`
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := l.decode(&record); err != nil {
		return Document{}, err
	}
	if record.ID == "" {
		return Document{}, l.fail("the document has no _id")
	}
	return Document{ID: record.ID, Title: record.Title, Passages: []string{record.Text}, Metadata: record.Metadata}, nil
}
