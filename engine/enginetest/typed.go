package enginetest

import (
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// Numbers compare as numbers, truth values and texts as texts byte by byte, one value of a
// list is enough, and a missing field satisfies nothing.
func testTyped(t *testing.T, m Maker) {
	docs := m.corpus(60)
	s := m.stored(t, docs)
	var leaves []query.Node
	for field, values := range map[string][]string{
		"n":           {"9", "10", "9.5", "1e1", "-1", "1000000000000000000000", "x", ""},
		"even":        {"true", "false", "t", "1", ""},
		"score":       {"0.0625", "-3.0625", "0", "1e-3", "zero"},
		"name":        {"Anna", "anna", "Zoë", "Z", "", "10", "9", "10.0", "95", "it's", "é"},
		"tags":        {"Anna", "3", "03", "zzz"},
		"place.city":  {"Zoë", "b"},
		"place.floor": {"3", "3.5"},
		"place":       {"Zoë"},
		"missing":     {"", "x"},
		"":            {"x"},
		"N":           {"9"},
	} {
		for _, value := range values {
			for op := query.Equal; op <= query.GreaterEqual; op++ {
				leaves = append(leaves, &query.Predicate{Field: field, Op: op, Value: value})
			}
		}
	}
	for i, leaf := range leaves {
		other := leaves[(i*7)%len(leaves)]
		for _, filter := range []query.Node{leaf, &query.Not{X: leaf}, &query.Or{Parts: []query.Node{leaf, &query.And{Parts: []query.Node{other, &query.Not{X: leaves[(i*3)%len(leaves)]}}}}}} {
			got := found(t, s, len(docs), filter)
			for i := range docs {
				if _, is := got[docs[i].ID]; is != passes(t, &docs[i], filter) {
					t.Errorf("%s: %q is found: %t, want %t", filter, docs[i].ID, is, !is)
				}
			}
		}
	}
}
