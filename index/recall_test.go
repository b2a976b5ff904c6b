package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/nsfl-go/nsfl/vec"
)

var npyShape = regexp.MustCompile(`'descr': '\|i1', 'fortran_order': False, 'shape': \((\d+), (\d+)\)`)

// realVectors reads a file of int8 rows that lies beside the repository, where a
// developer has it. The rows are reflected: as they are, int8 codes would
// reproduce them without any error.
func realVectors(tb testing.TB, name string) [][]float32 {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("../../shared/vectors/minilm", name))
	if err != nil {
		tb.Skip("the real vectors are not beside the repository")
	}
	body := 10 + int(binary.LittleEndian.Uint16(b[8:]))
	m := npyShape.FindSubmatch(b[:body])
	if m == nil || !bytes.HasPrefix(b, []byte("\x93NUMPY\x01\x00")) {
		tb.Fatalf("npy header %q", b[:body])
	}
	n, _ := strconv.Atoi(string(m[1]))
	d, _ := strconv.Atoi(string(m[2]))
	mirror := randomVector(rand.New(rand.NewPCG(1, 2)), d)
	must(tb, vec.Normalize(mirror))
	rows := make([][]float32, n)
	for i := range rows {
		rows[i] = make([]float32, d)
		for k := range rows[i] {
			rows[i][k] = float32(int8(b[body+i*d+k]))
		}
		vec.AddScaled(rows[i], mirror, -2*vec.Dot(rows[i], mirror))
	}
	return rows
}

// clustered makes vectors in clusters of some 2000 that consist of some of 50,
// as texts are on a subject and a detail of it: pools of 1000 are not made of
// noise.
func clustered(r *rand.Rand, n, dim int) func() []float32 {
	subjects, details := make([][]float32, 1+n/2000), make([][]float32, 1+n/50)
	for i := range subjects {
		subjects[i] = randomVector(r, dim)
	}
	for i := range details {
		details[i] = randomVector(r, dim)
		vec.AddScaled(details[i], subjects[r.IntN(len(subjects))], 1.5)
	}
	return func() []float32 {
		v := randomVector(r, dim)
		vec.AddScaled(v, details[r.IntN(len(details))], 1)
		return v
	}
}

// withPassages groups vectors into documents of a whole and three passages.
func withPassages(vectors [][]float32) []Document {
	var docs []Document
	for i := 0; i+4 <= len(vectors); i += 4 {
		d := Document{ID: fmt.Sprint(i), Vector: vectors[i]}
		for _, v := range vectors[i+1 : i+4] {
			d.Passages = append(d.Passages, Passage{Vector: v})
		}
		docs = append(docs, d)
	}
	return docs
}

func asDocuments(vectors [][]float32) []Document {
	docs := make([]Document, len(vectors))
	for i, v := range vectors {
		docs[i] = Document{ID: fmt.Sprint(i), Vector: v}
	}
	return docs
}

// TestRecall measures which share of the 1000 best documents TopK finds.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("codes tens of thousands of vectors")
	}
	const k = 1000
	r := source(t, 18)
	sets := map[string]func(t *testing.T) (docs []Document, queries [][]float32){
		"films": func(t *testing.T) ([]Document, [][]float32) {
			return asDocuments(realVectors(t, "films.docs.npy")), realVectors(t, "strings.npy")
		},
		"captions": func(t *testing.T) ([]Document, [][]float32) {
			return asDocuments(realVectors(t, "coco.pass.npy")), realVectors(t, "strings.npy")
		},
		"captions as passages": func(t *testing.T) ([]Document, [][]float32) {
			return withPassages(realVectors(t, "coco.pass.npy")), realVectors(t, "strings.npy")
		},
		"clusters": func(*testing.T) ([]Document, [][]float32) {
			next := clustered(r, 40_000, 384)
			vectors := make([][]float32, 40_000)
			for i := range vectors {
				vectors[i] = next()
			}
			queries := make([][]float32, 200)
			for i := range queries {
				queries[i] = next()
			}
			return asDocuments(vectors), queries
		},
	}
	for set, load := range sets {
		t.Run(set, func(t *testing.T) {
			docs, strings := load(t)
			var queries [][]float32
			for i := 0; i < len(strings); i += max(1, len(strings)/40) {
				queries = append(queries, strings[i])
			}
			for codes, want := range map[Codes]float64{Int8: 0.995, Signs: 0.98} {
				c := create(t, Options{Dimension: len(docs[0].Vector), Codes: codes})
				must(t, c.Upsert(t.Context(), docs))
				recall := measureRecall(t, c, queries, k)
				t.Logf("%s: recall@%d from %d of %d documents: %.4f", codes, k, codes.candidates(k), len(docs), recall)
				if recall < want {
					t.Errorf("%s: recall@%d is %.4f, want %g", codes, k, recall, want)
				}
			}
		})
	}
}

func measureRecall(tb testing.TB, c *Collection, queries [][]float32, k int) float64 {
	tb.Helper()
	columns, err := c.Scan(tb.Context(), queries, nil)
	must(tb, err)
	hits, err := c.TopK(tb.Context(), queries, k, nil)
	must(tb, err)
	found := 0
	for j := range queries {
		best := vec.NewTopK(k)
		best.Push(0, columns.Similarities[j])
		lines, _ := best.Ranked()
		exact := make(map[Ordinal]bool, k)
		for _, i := range lines {
			exact[columns.Ordinals[i]] = true
		}
		for _, h := range hits[j] {
			if exact[h.Ordinal] {
				found++
			}
		}
	}
	return float64(found) / float64(k*len(queries))
}
