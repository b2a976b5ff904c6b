package vectors

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// someRows are documents with everything that can be awkward in them.
func someRows(r *rand.Rand, n, dim int) []Row {
	texts := []string{"", "plain", "two\nlines\r\n", `"quoted" \ <b>&amp;</b>`, "ünïcødé 🐕 \u2028", "\x00\x1f"}
	text := func() string { return texts[r.IntN(len(texts))] }
	vector := func() []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(60)-30)))
		}
		v[r.IntN(dim)] = 1 // never zero
		return v
	}
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{ID: fmt.Sprint("d", i, text()), Title: text(), Text: text(), Vector: vector()}
		vectors := r.IntN(2) == 0
		for range r.IntN(4) {
			p := engine.Passage{Text: text()}
			if r.IntN(2) == 0 {
				p.Place = passage.Place{Heading: text(), Page: r.IntN(3), Line: r.IntN(3)}
			}
			if vectors {
				p.Vector = vector()
			}
			rows[i].Passages = append(rows[i].Passages, p)
		}
		if r.IntN(2) == 0 {
			rows[i].Metadata, _ = json.Marshal(map[string]any{text(): []any{text(), i, nil, true, 1e300, map[string]any{"k": text()}}})
		}
	}
	return rows
}

func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// TestRoundTrip writes rows in every format and reads the same rows again.
func TestRoundTrip(t *testing.T) {
	rows := someRows(seeded(t), 200, 7)
	bare := make([]Row, len(rows)) // vectors only
	for i := range rows {
		bare[i].Vector = rows[i].Vector
	}
	without := slices.Clone(rows) // everything else
	for i := range without {
		without[i].Vector, without[i].Passages = nil, nil
	}
	for _, name := range []string{"a.jsonl", "a.ndjson", "a.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		writeAll(t, path, rows)
		same(t, name, readAll(t, path, ""), rows)
		writeAll(t, path, without)
		same(t, name+" without vectors", readAll(t, path, ""), without)
	}
	for _, name := range []string{"a.npy"} {
		path := filepath.Join(t.TempDir(), name)
		writeAll(t, path, rows)
		same(t, name, readAll(t, path, ""), bare)
		rest := slices.Clone(rows)
		for i := range rest {
			rest[i].Vector = nil
		}
		side := filepath.Join(t.TempDir(), "rows.jsonl")
		writeAll(t, side, rest)
		same(t, name+" and rows", readAll(t, path, side), rows)
	}
}

// TestLine says what becomes of the fields of a line.
func TestLine(t *testing.T) {
	v := []float32{1, 2}
	for line, want := range map[string]Row{
		`{"id":"a","vector":[1,2]}`:                                                     {ID: "a", Vector: v},
		`{"_id":7,"embedding":[1.0,2e0]}`:                                               {ID: "7", Vector: v},
		`{"id":-1.50,"vector":[1,2]}`:                                                   {ID: "-1.50", Vector: v},
		` {"id":null,"title":"t","text":null,"vector":[ 1 ,2 ]} `:                       {Title: "t", Vector: v},
		`{"vector":[1,2],"passages":["p","q"]}`:                                         {Vector: v, Passages: []engine.Passage{{Text: "p"}, {Text: "q"}}},
		`{"vector":[1,2],"passages":["p"],"passage_places":[{"heading":"H","line":3}]}`: {Vector: v, Passages: []engine.Passage{{Text: "p", Place: passage.Place{Heading: "H", Line: 3}}}},
		`{"vector":[1,2],"passages":["p"],"passage_vectors":[[2,1]]}`:                   {Vector: v, Passages: []engine.Passage{{Text: "p", Vector: []float32{2, 1}}}},
		`{"vector":[1,2],"metadata":{"a": [1, 2]}}`:                                     {Vector: v, Metadata: json.RawMessage(`{"a":[1,2]}`)},
		`{"vector":[1,2],"metadata":null,"labels":["x", "y"],"n":1e999}`:                {Vector: v, Metadata: json.RawMessage(`{"labels":["x","y"],"n":1e999}`)},
		`{"n":12345678901234567890,"vector":[1,2],"metadata":{"a":{},"b":0}}`:           {Vector: v, Metadata: json.RawMessage(`{"a":{},"b":0,"n":12345678901234567890}`)},
		`{"metadata":{}}`: {Metadata: json.RawMessage(`{}`)},
	} {
		same(t, line, readAll(t, put(t, "a.jsonl", []byte(line)), ""), []Row{want})
	}
}

// TestLines reads lines as editors and tools leave them.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20) // longer than any buffer
	content := byteOrderMark + "\r\n{\"id\":\"a\",\"vector\":[1]}\r\n\n \n{\"id\":\"b\",\"vector\":[2],\"text\":\"" + long + "\"}"
	want := []Row{{ID: "a", Vector: []float32{1}}, {ID: "b", Vector: []float32{2}, Text: long}}
	same(t, "plain", readAll(t, put(t, "a.jsonl", []byte(content)), ""), want)
	same(t, "by its first bytes", readAll(t, put(t, "a", []byte(content)), ""), want)
	var zipped strings.Builder
	z := gzip.NewWriter(&zipped)
	_, err := z.Write([]byte(content))
	must(t, err)
	must(t, z.Close())
	for _, name := range []string{"a.jsonl.gz", "a.jsonl", "a.gz", "a"} {
		same(t, name, readAll(t, put(t, name, []byte(zipped.String())), ""), want)
	}
	same(t, "plain under a compressed name", readAll(t, put(t, "a.jsonl.gz", []byte(content)), ""), want)
}
