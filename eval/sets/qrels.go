package sets

import (
	"io"
	"strconv"
	"strings"
)

// Qrels are judgements: grades by query and document.
type Qrels map[string]map[string]int

// ReadQrels reads TREC's judgements: query id, an ignored column, document id and grade,
// separated by white space. Lines that start with # are comments. A document judged twice
// for a query is an error, as in trec_eval.
func ReadQrels(path string) (Qrels, error) {
	return read(path, readQrels)
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
			return nil, l.fail("got %d columns, want 4 (query, 0, document, grade)", len(columns))
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
