package builtin

import (
	"cmp"
	"context"
	"encoding/binary"
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/workers"
)

var update = flag.Bool("update", false, "rewrite the vocabulary of package words")

const vocabularyFile = "../../internal/words/vocabulary.bin"

// TestVocabulary computes the vocabulary of package words: the encoder's word pieces and,
// for each piece that is a word, the pieces with the nearest vectors. Each piece is encoded
// alone. -update writes the file; otherwise the neighbours of one piece in fifty are compared
// with the committed file.
func TestVocabulary(t *testing.T) {
	const every = 50
	e, err := Revision("1") // the file does not change with the revisions
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(vocabularyFile, encodeVocabulary(e.pieces, nearest(t, e, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	committed, err := os.ReadFile(vocabularyFile)
	if err != nil {
		t.Fatal(err)
	}
	lists := committed[len(encodeVocabulary(e.pieces, nil)):]
	differing, all := 0, 0
	for i, made := range nearest(t, e, every) {
		kept := make([]neighbour, lists[0])
		for j := range kept {
			three := lists[1+3*j:]
			kept[j] = neighbour{binary.LittleEndian.Uint16(three), three[2]}
		}
		if lists = lists[1+3*len(kept):]; i%every != 0 {
			continue
		}
		for j := range max(len(kept), len(made)) {
			all++
			// Sums may round differently on another machine.
			if j >= len(kept) || j >= len(made) || max(kept[j].Similarity, made[j].Similarity)-min(kept[j].Similarity, made[j].Similarity) > 1 {
				differing++
			}
		}
	}
	if all == 0 || 100*differing > all {
		t.Errorf("%d of %d neighbours differ from the encoder's: run go test ./encoder/builtin -run Vocabulary -update", differing, all)
	}
}

// neighbour is a piece with a meaning similar to another's.
type neighbour struct {
	Piece      uint16
	Similarity byte // 255 is identity
}

// encodeVocabulary encodes pieces and the neighbours of each in the format of the file.
func encodeVocabulary(pieces []string, near [][]neighbour) []byte {
	text := strings.Join(pieces, "\n")
	out := []byte("NSFLWRD\x01")
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	out = append(out, text...)
	for _, list := range near {
		out = append(out, byte(len(list)))
		for _, n := range list {
			out = append(binary.LittleEndian.AppendUint16(out, n.Piece), n.Similarity)
		}
	}
	return out
}

// nearest returns the neighbours of one piece in every: at most 32, by the cosine of vectors
// from which the mean vector was subtracted. Cosines from 0.4 to 1 map to similarities from
// 0 to 255.
func nearest(t *testing.T, e *Encoder, every int) [][]neighbour {
	const most, least = 32, 0.4
	ctx := context.Background()
	n := len(e.pieces)
	begin, _ := e.tokens.ID("[CLS]")
	end, _ := e.tokens.ID("[SEP]")
	ids := make([][]int32, n)
	for i := range ids {
		ids[i] = []int32{begin, int32(i), end}
	}
	vectors, err := e.model.Vectors(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	mean := make([]float32, e.model.Dim)
	for _, v := range vectors {
		for j, x := range v {
			mean[j] += x / float32(n)
		}
	}
	var known []int // the words among the pieces
	for i, v := range vectors {
		for j := range v {
			v[j] -= mean[j]
		}
		if err := vec.Normalize(v); err != nil {
			t.Fatal(err)
		}
		if first, _ := utf8.DecodeRuneInString(e.pieces[i]); unicode.IsLetter(first) || unicode.IsDigit(first) {
			known = append(known, i)
		}
	}
	near := make([][]neighbour, n)
	err = workers.Each(ctx, len(known), runtime.GOMAXPROCS(0), func(_ context.Context, at int) error {
		i := known[at]
		if i%every != 0 {
			return nil
		}
		var list []neighbour
		for _, j := range known {
			if s := (float64(vec.Dot(vectors[i], vectors[j])) - least) / (1 - least) * 255; j != i && s >= 1 {
				list = append(list, neighbour{Piece: uint16(j), Similarity: byte(min(s, 254))})
			}
		}
		slices.SortFunc(list, func(a, b neighbour) int {
			return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Piece, b.Piece))
		})
		near[i] = list[:min(most, len(list))]
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return near
}
