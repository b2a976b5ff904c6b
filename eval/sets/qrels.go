package sets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// Qrels are judgements: the grade of a document by query and document.
type Qrels map[string]map[string]int

// ReadQrels reads TREC's judgements: a query's id, a column that is ignored, a
// document's id and a grade, separated by white space. Lines that begin with # are
// comments. A document judged twice for one query is an error, as in trec_eval.
func ReadQrels(path string) (Qrels, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.close()
	return readQrels(f.name, f)
}

func readQrels(name string, r io.Reader) (Qrels, error) {
	out := Qrels{}
	for l, err := range lines(name, r) {
		if err != nil {
			return nil, err
		}
		columns := strings.Fields(string(l.text))
		if columns[0][0] == '#' {
			continue
		}
		if len(columns) != 4 {
			return nil, l.fail("a judgement has four columns (query, 0, document, grade), and this line %d", len(columns))
		}
		grade, err := strconv.Atoi(columns[3])
		if err != nil {
			return nil, l.fail("the grade %q is not a whole number", columns[3])
		}
		if err := out.add(l, columns[0], columns[2], grade); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (q Qrels) add(l line, query, document string, grade int) error {
	if q[query] == nil {
		q[query] = map[string]int{}
	}
	if _, twice := q[query][document]; twice {
		return l.fail("document %q is judged twice for query %q", document, query)
	}
	q[query][document] = grade
	return nil
}

// Qrels are the relevant documents of a set's queries.
func (s *Set) Qrels() Qrels {
	out := Qrels{}
	for i := range s.Queries {
		documents := map[string]int{}
		for id, grade := range s.Queries[i].Relevant() {
			documents[id] = grade
		}
		out[s.Queries[i].ID] = documents
	}
	return out
}

// WriteQrels writes judgements in TREC's form, sorted by query and document.
func WriteQrels(w io.Writer, q Qrels) error {
	out := bufio.NewWriter(w)
	for _, query := range sortedKeys(q) {
		for _, document := range sortedKeys(q[query]) {
			if err := writableRow(query, document); err != nil {
				return fmt.Errorf("writing judgements: %w", err)
			}
			fmt.Fprintf(out, "%s 0 %s %d\n", query, document, q[query][document])
		}
	}
	return out.Flush()
}

// writableRow refuses names that a line of columns cannot hold.
func writableRow(query, document string) error {
	if strings.HasPrefix(query, "#") {
		return fmt.Errorf("a line that begins with %q would be a comment in TREC's form", query)
	}
	return errors.Join(writable(query), writable(document))
}

func writable(name string) error {
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return fmt.Errorf("%q is empty or has white space in it, which TREC's form cannot hold; replace it by an id of your own", name)
	}
	return nil
}
