package enginetest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
)

// sixties and long are longer than the keys of some indexes.
var (
	sixties = strings.Repeat("x", 63)
	long    = strings.Repeat("long ", 700)
)

// metadata of the documents a, b, c and so on.
var metadata = []string{
	/* a */ `{"year": 2015, "name": "Anna", "tag": ["red", "green"], "ok": true}`,
	/* b */ `{"year": 2015.0, "name": "anna", "tag": ["blue"], "ok": false}`,
	/* c */ `{"year": "2015", "name": "Bob", "tag": [], "ok": "true"}`,
	/* d */ `{"year": 1999, "name": "Zoë", "tag": "red", "ok": null}`,
	/* e */ `{"year": "unknown", "name": ""}`,
	/* f */ `{"year": [1990, 2020], "place": {"city": "Oslo", "at": {"lat": 59.9}}}`,
	/* g */ `{"place": [{"city": "Rome"}, {"city": "Oslo"}], "place.city": "Bern"}`,
	/* h */ `{"n": -5, "big": 123456789012345678, "tiny": 1e-7}`,
	/* i */ `{"n": 1e3, "size": "100"}`,
	/* j */ `{"n": "1000", "size": "99"}`,
	/* k */ `{"n": "9e2", "size": "0x10", "field with spaces": "a b", "quote'": "it's", "$1": "$2"}`,
	/* l */ `{"n": "inf", "size": "-", "emoji": "😀", "kana": "カナ"}`,
	/* m */ `{}`,
	/* n */ ``,
	/* o */ `{"x": "` + sixties + `", "y": "` + sixties + `xa"}`,
	/* p */ `{"x": "` + sixties + `x", "y": "` + sixties + `xb", "long": "` + long + `end"}`,
	/* q */ `{"deep": {"a": [[1], [2, [3]]], "": 4}, "` + long + `": 1}`,
}

// What predicates mean: numbers compare as numbers when both sides are, and all
// else as strings, byte by byte; text that reads as a number is one. A list
// satisfies a predicate if an element does, a missing field never does.
var predicates = []struct {
	field string
	op    query.Comparison
	value string
	want  string // the documents' ids, each a letter
}{
	{"year", query.Equal, "2015", "abc"},
	{"year", query.Equal, "2.015e3", "abc"},
	{"year", query.Less, "2015", "df"},
	{"year", query.LessEqual, "2015", "abcdf"},
	{"year", query.Greater, "2015", "ef"}, // "unknown" is after "2015" as a string
	{"year", query.GreaterEqual, "2015", "abcef"},
	{"year", query.Equal, "unknown", "e"},
	{"year", query.Less, "unknown", "abcdf"}, // numbers by how they are written
	{"year", query.Greater, "20", "abcdef"},
	{"year", query.Greater, "2016", "ef"},
	{"year", query.Greater, "2000x", "abcef"},
	{"year", query.Equal, "", ""},
	{"name", query.Equal, "Anna", "a"},
	{"name", query.Equal, "anna", "b"},
	{"name", query.Greater, "Z", "bd"}, // byte by byte: small letters are after capitals
	{"name", query.Greater, "Zoz", "bd"},
	{"name", query.Less, "B", "ae"},
	{"name", query.Equal, "", "e"},
	{"name", query.GreaterEqual, "", "abcde"},
	{"name", query.Less, "5", "e"},
	{"tag", query.Equal, "red", "ad"},
	{"tag", query.Less, "c", "b"},
	{"tag", query.Greater, "gz", "ad"},
	{"ok", query.Equal, "true", "ac"},
	{"ok", query.Equal, "false", "b"},
	{"ok", query.Equal, "null", ""},
	{"place.city", query.Equal, "Oslo", "fg"},
	{"place.city", query.Equal, "Bern", "g"},
	{"place.at.lat", query.Greater, "59", "f"},
	{"place", query.Equal, "Oslo", ""},
	{"deep.a", query.Equal, "3", "q"},
	{"deep.", query.Equal, "4", "q"},
	{"n", query.Less, "0", "h"},
	{"n", query.Equal, "1000", "ij"},
	{"n", query.Greater, "900", "ijl"},
	{"n", query.GreaterEqual, "900", "ijkl"},
	{"n", query.Greater, "inf", ""},
	{"n", query.Equal, "inf", "l"},
	{"n", query.Equal, "+1000.0", "ij"},
	{"n", query.Equal, "1e400", ""}, // no number is as large: a string
	{"n", query.GreaterEqual, "1e3x", "kl"},
	{"size", query.Less, "100", "jkl"},
	{"size", query.Equal, "16", ""},
	{"size", query.GreaterEqual, "0x1", "ijk"},
	{"big", query.Equal, "123456789012345678", "h"},
	{"big", query.Equal, "123456789012345680", "h"}, // the same float64
	{"tiny", query.Less, "0.0000002", "h"},
	{"tiny", query.Equal, "0.0000001", "h"},
	{"field with spaces", query.Equal, "a b", "k"},
	{"quote'", query.Equal, "it's", "k"},
	{"$1", query.Equal, "$2", "k"},
	{"'; DROP TABLE documents; --", query.Equal, "' OR '1'='1", ""},
	{"emoji", query.Greater, "\uffff", "l"}, // by bytes, not by UTF-16
	{"kana", query.Equal, "カナ", "l"},
	{"x", query.Equal, sixties, "o"},
	{"x", query.Greater, sixties, "p"},
	{"x", query.LessEqual, sixties, "o"},
	{"x", query.Equal, sixties + "x", "p"},
	{"x", query.Less, sixties + "x", "o"},
	{"x", query.Less, sixties[1:], ""},
	{"x", query.Less, sixties + "y", "op"},
	{"y", query.Equal, sixties + "xa", "o"},
	{"y", query.Greater, sixties + "x", "op"},
	{"y", query.Greater, sixties, "op"},
	{"y", query.Greater, sixties + "xa", "p"},
	{"long", query.Equal, long + "end", "p"},
	{"long", query.Less, long + "ene", "p"},
	{"long", query.Equal, long[:64], ""},
	{"long", query.Greater, long[:20], "p"},
	{long, query.Equal, "1", "q"},
	{long[:100], query.Equal, "1", ""},
	{"name", query.Glob, "*n*", "ab"},
	{"name", query.Glob, "A*", "a"},
	{"name", query.Glob, "*ë", "d"},
	{"name", query.Glob, "*", "abcde"},
	{"name", query.Glob, "a?na*", ""},
	{"name", query.Glob, "%*", ""},
	{"name", query.Glob, "[a-z]*", ""},
	{"year", query.Glob, "19*", "df"}, // numbers by how they are written
	{"year", query.Glob, "un*wn", "e"},
	{"tag", query.Glob, "*e*", "abd"},
	{"ok", query.Glob, "tr*e", "ac"},
	{"size", query.Glob, "0x*", "k"},
	{"quote'", query.Glob, "it'*", "k"},
	{"$1", query.Glob, "$*", "k"},
	{"x", query.Glob, sixties + "*", "op"},
	{"x", query.Glob, "*xx", "op"},
	{"long", query.Glob, "*end", "p"},
	{"missing", query.Glob, "*", ""},
	{"missing", query.GreaterEqual, "", ""},
	{"missing", query.Less, "zzz", ""},
	{"", query.Equal, "", ""},
}

func filtered(t *testing.T, m Maker) Store {
	docs := make([]engine.Document, len(metadata))
	for i, text := range metadata {
		id := string(rune('a' + i))
		docs[i] = engine.Document{ID: id, Vector: vectorOf(id), Metadata: []byte(text)}
		if i%4 == 1 && m.written() {
			docs[i].Passages = []engine.Passage{{Vector: vectorOf(id + "1")}, {Vector: vectorOf(id + "2")}}
		}
	}
	return m.stored(t, docs)
}

func passingIDs(t *testing.T, s engine.Store, filter query.Node) string {
	t.Helper()
	return strings.Join(slices.Sorted(maps.Keys(found(t, s, 2*len(metadata), filter))), "")
}

func letters(docs []engine.Document) string {
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	return strings.Join(ids, "")
}

func testFilters(t *testing.T, m Maker) {
	s := filtered(t, m)
	for _, c := range predicates {
		p := &query.Predicate{Field: c.field, Op: c.op, Value: c.value}
		if got := passingIDs(t, s, p); got != c.want {
			t.Errorf("%.100s: %q pass, want %q", p, got, c.want)
		}
		if got := letters(listed(t, s, p, 5, nil)); got != c.want {
			t.Errorf("%.100s: %q are listed, want %q", p, got, c.want)
		}
		rest := strings.Map(func(r rune) rune {
			if strings.ContainsRune(c.want, r) {
				return -1
			}
			return r
		}, "abcdefghijklmnopq")
		if got := passingIDs(t, s, &query.Not{X: p}); got != rest {
			t.Errorf("NOT %.100s: %q pass, want %q", p, got, rest)
		}
	}
}

// Trees of predicates pass the same documents as the definition.
func testTrees(t *testing.T, m Maker) {
	s := filtered(t, m)
	const seed = 8
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, seed))
	some := 0
	for range 60 {
		tree := randomTree(r, 3)
		want := ""
		for i, text := range metadata {
			if passes(t, &engine.Document{Metadata: []byte(text)}, tree) {
				want += string(rune('a' + i))
			}
		}
		if got := passingIDs(t, s, tree); got != want {
			t.Errorf("%s: %q pass, want %q", tree, got, want)
		}
		if want != "" && len(want) < len(metadata) {
			some++
		}
	}
	if some < 20 {
		t.Errorf("only %d trees let some pass and some not", some)
	}
}

func randomTree(r *rand.Rand, depth int) query.Node {
	if depth == 0 || r.IntN(4) == 0 {
		p := predicates[r.IntN(len(predicates))]
		return &query.Predicate{Field: p.field, Op: p.op, Value: p.value}
	}
	parts := make([]query.Node, 2+r.IntN(2))
	for i := range parts {
		parts[i] = randomTree(r, depth-1)
	}
	switch r.IntN(3) {
	case 0:
		return &query.Not{X: parts[0]}
	case 1:
		return &query.And{Parts: parts}
	}
	return &query.Or{Parts: parts}
}

// A filter that passes only a few distant documents does not leave a pool short.
func testStarving(t *testing.T, m Maker) {
	n := 3000
	if testing.Short() {
		n = 600
	}
	target := vectorOf("target")
	docs := make([]engine.Document, n)
	rare := 0
	for i := range docs {
		v := vectorOf(fmt.Sprint(i))
		word := "rare"
		if Cosine(v, target) > 0.2 || i%10 > 0 {
			word = "common"
		} else {
			rare++
		}
		docs[i] = engine.Document{ID: m.id(i, fmt.Sprint("id-", i)), Vector: v, Metadata: fmt.Appendf(nil, `{"name": %q, "n": %d}`, word, i)}
	}
	s := m.filled(t, dim, docs)
	const k = 10
	if rare < k {
		t.Fatalf("%d rare documents", rare)
	}
	for _, filter := range []string{"name:rare", "NOT name:common", "name:rare OR n:<0"} {
		columns, err := s.Pool(context.Background(), [][]float32{target}, k, filterOf(t, filter), [][]float32{target})
		if err != nil || len(columns.Refs) != k {
			t.Errorf("%s: %d documents, %v, want %d of %d", filter, len(columns.Refs), err, k, rare)
			continue
		}
		got := checkColumns(t, s, filter, columns, docs, [][]float32{target})
		for _, d := range passing(t, docs, filterOf(t, "name:common")) {
			if got[d.ID] {
				t.Errorf("%s: %s does not pass", filter, d.ID)
			}
		}
	}
}

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
