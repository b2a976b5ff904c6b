package remote

import (
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
)

func TestPieces(t *testing.T) {
	for _, pieces := range [][]uint16{nil, {0}, {0xffff}, {1, 2, 0x8000, 0x0a20}, words.Pieces([]string{"an axolotl", "no dogs"})} {
		if got, err := UnpackPieces(PackPieces(pieces)); err != nil || !slices.Equal(got, pieces) {
			t.Errorf("%v are %v, %v", pieces, got, err)
		}
		if got, err := ReadTokens(SpellTokens(pieces)); err != nil || !slices.Equal(got, pieces) {
			t.Errorf("%v are %v, %v", pieces, got, err)
		}
	}
	if got := SpellTokens([]uint16{7, 0xabcd}); got != "0007 abcd" {
		t.Errorf("%q: what is stored would not be found any more", got)
	}
	if got := PackPieces([]uint16{7, 0xabcd}); string(got) != "\x07\x00\xcd\xab" {
		t.Errorf("%q: what is stored could not be read any more", got)
	}
}

// Pieces are decoded as they were encoded, and everything else is an error.
func FuzzPieces(f *testing.F) {
	f.Add([]byte("\x07\x00\xcd\xab"), "0007 abcd")
	f.Add([]byte("\x07"), "0007 ABCD")
	f.Add([]byte{}, "0007  abcd ")
	f.Add([]byte{}, "000g")
	f.Fuzz(func(t *testing.T, stored []byte, tokens string) {
		if pieces, err := UnpackPieces(stored); err == nil && string(PackPieces(pieces)) != string(stored) {
			t.Errorf("%x is read as %v", stored, pieces)
		}
		if pieces, err := ReadTokens(tokens); err == nil && SpellTokens(pieces) != tokens {
			t.Errorf("%q is read as %v", tokens, pieces)
		}
	})
}

// Matches are in the order of the requested documents.
func TestPieceTable(t *testing.T) {
	h := &PieceTable{}
	for i, text := range []string{"a dog", "a cat", "a dog and a cat"} {
		h.Add(ref(i), words.Pieces([]string{text}))
		h.Add(ref(i), nil) // it is there already
	}
	q := words.NewQuery([]string{"dog", "cat"}, h.Statistics())
	got := h.ScoresOf(q, []engine.Ref{ref(2), ref(9), ref(0)})
	if got[0][0] != 1 || got[1][0] != 1 || got[0][1] != 0 || got[0][2] != 1 || got[1][2] == 1 {
		t.Errorf("got the scores %v, want 1 only where a word is mentioned", got)
	}
	by := func(out []float32, shares [][]float32) { copy(out, shares[1]) }
	best := h.Matches(q, []engine.TopK{{K: 2, By: by}})
	if !slices.Equal(best.Refs, []engine.Ref{ref(1), ref(2)}) || len(best.Atoms) != 2 || len(best.Atoms[0]) != 2 {
		t.Errorf("got %+v, want documents 1 and 2", best)
	}
}
