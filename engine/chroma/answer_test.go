package chroma

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/pooling"
)

// answerOf is how a server gives back what entry has made of a document.
func answerOf(t testing.TB, d engine.Document) []byte {
	t.Helper()
	rows, err := rowsOf(context.Background(), []engine.Document{d}, dim)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rows[0].entry(7, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, `{"ids": [%q], "metadatas": [%s], "uris": [%s]}`, e.name, e.metadata, e.texts)
}

func TestRecord(t *testing.T) {
	want := enginetest.Documents(3)[2]
	want.ID, want.Text = "odd \x00 \"id\" 日", "a < b & \u2028 \x00"
	records, err := decodeRecords(answerOf(t, want), withTexts, dim)
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	got, err := records[0].Document(engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != want.ID || got.Text != want.Text || got.Title != want.Title || string(got.Metadata) != string(want.Metadata) || len(got.Passages) != 2 || got.Passages[1].Text != "b" {
		t.Errorf("%+v, want %+v", got, want)
	}
	u, err := engine.UnitOf(want.Vector, dim)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Vector, u) || !slices.Equal(got.Passages[1].Vector, u) {
		t.Errorf("%v, want %v", got.Vector, u)
	}
}

// What is not as it was stored is an error that says which record it is.
func TestDamagedRecords(t *testing.T) {
	good := string(answerOf(t, enginetest.Documents(1)[0]))
	name := nameOf("id-0")
	zero := base64.StdEncoding.EncodeToString(make([]byte, 4*dim))
	vectors := good[strings.Index(good, `"vectors":"`)+len(`"vectors":"`):]
	vectors = vectors[:strings.Index(vectors, `"`)]
	for what, change := range map[string][2]string{
		"another id":    {`"id":"id-0"`, `"id":"id-1"`},
		"no id":         {`"id":"id-0"`, `"x":1`},
		"no vectors":    {vectors, ""},
		"no base64":     {vectors, "????"},
		"half a vector": {vectors, vectors[:8]},
		"zero":          {vectors, zero},
		"one too many":  {vectors, pack(slices.Repeat([][]float32{enginetest.Leaning(1, 0, dim)}, 4))},
		"one too few":   {vectors, pack(slices.Repeat([][]float32{enginetest.Leaning(1, 0, dim)}, 2))},
		"only one":      {vectors, pack([][]float32{enginetest.Leaning(1, 0, dim)})},
		"not a number":  {vectors, pack([][]float32{slices.Repeat([]float32{float32(math.NaN())}, dim)})},
		"version":       {`"version":7}`, `"version":8}`},
		"no texts":      {`"uris": ["`, `"uris": ["x`},
		"null":          {good[strings.Index(good, `"uris": [`):], `"uris": [null]}`},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if text == good {
			t.Fatalf("%s: nothing was changed", what)
		}
		if _, err := decodeRecords([]byte(text), withTexts, dim); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func FuzzRecords(f *testing.F) {
	f.Add(answerOf(f, enginetest.Documents(2)[1]))
	f.Add([]byte(`{"ids": ["0123456789abcdef0123456789abcdef"], "metadatas": [null], "uris": [null]}`))
	f.Add([]byte(`{"ids": ["", "x"], "metadatas": [{}, {}], "uris": ["", ""]}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		for d := onlyNames; d <= withTexts; d++ {
			records, err := decodeRecords(answer, d, dim)
			if err != nil {
				continue
			}
			for _, r := range records {
				switch d {
				case withVectors, withTexts:
					if x := pooling.Similarity(r.Rows, enginetest.Leaning(1, 0, dim)); !(math.Abs(float64(x)) < 1.01) {
						t.Errorf("a similarity of %g", x)
					}
				}
				if d == withTexts {
					if doc, err := r.Document(engine.AllParts); err != nil || nameOf(doc.ID) != r.name || len(doc.Vector) != dim || len(doc.Passages) > 1 && len(doc.Passages[1].Vector) != dim {
						t.Errorf("%+v", doc)
					}
				}
			}
		}
	})
}

func FuzzLists(f *testing.F) {
	f.Add([]byte(`{"ids": [["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef.1.2"], []], "distances": [[0.1, 0.2], []]}`))
	f.Add([]byte(`{"ids": [["0123456789abcdef0123456789abcdef"], []], "distances": [[null], []]}`))
	f.Add([]byte(`{"ids": [[], []], "distances": null}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		lists, err := decodeLists(answer, 2)
		if err != nil {
			return
		}
		for _, l := range lists {
			if len(lists) != 2 || math.IsNaN(l.last) || l.last > 1 {
				t.Errorf("%+v", l)
			}
		}
	})
}

func FuzzNotes(f *testing.F) {
	f.Add([]byte(`{"uris": ["{\"name\": \"a\", \"text\": \"b\"}"]}`))
	f.Add([]byte(`{"uris": [null]}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		notes := map[string]string{}
		if decodeNotes(answer, "a", notes) != nil {
			return
		}
		for name, text := range notes {
			if !strings.HasPrefix(name, "a") || text == "" {
				t.Errorf("%q: %q", name, text)
			}
		}
	})
}
