package passage_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/passage"
)

// texts returns texts whose number of words says little about their length in tokens.
func texts(t testing.TB) map[string]string {
	code, err := os.ReadFile("unit.go")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	raw := make([]byte, 6000)
	for i := range raw {
		raw[i] = byte(random.Uint32())
	}
	letters := func(n int, from, to rune) string {
		var b strings.Builder
		for range n {
			b.WriteRune(from + rune(random.IntN(int(to-from))))
		}
		return b.String()
	}
	var table, addresses strings.Builder
	for i := range 60 {
		fmt.Fprintf(&table, "- %d | %.4f | %x | 2024-0%d-1%d | %s\n", i, random.Float64(), random.Uint64(), 1+i%9, i%9, letters(9, 'a', 'z'))
		fmt.Fprintf(&addresses, "https://example.com/%s/%x?q=%s&page=%d#%s ", letters(12, 'a', 'z'), random.Uint64(), letters(20, 'A', 'Z'), i, letters(8, '0', '9'))
	}
	return map[string]string{
		"prose":     strings.Repeat("The ferry leaves at nine and comes back at noon. ", 200),
		"code":      string(code),
		"one line":  strings.Join(strings.Fields(string(code)), " "),
		"addresses": addresses.String(),
		"one word":  strings.ReplaceAll(addresses.String(), " ", "/"),
		"base64":    base64.StdEncoding.EncodeToString(raw),
		"letters":   letters(20000, 'a', 'z'),
		"Chinese":   letters(3000, 0x4E00, 0x9FA5),
		"sentences": strings.Repeat("今天天氣很好，我們去海邊散步。", 300),
		"Japanese":  strings.Repeat("これはとても長い文章です、", 300),
		"Thai":      letters(3000, 0x0E01, 0x0E2E),
		"Russian":   strings.Repeat("Паром отходит в девять и возвращается в полдень. ", 200),
		"table":     table.String(),
	}
}

// Whatever the text, the encoder reads all of each passage, and passages of prose come
// close to the maximum length.
func TestTokens(t *testing.T) {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts(t) {
		for _, most := range []int{40, 210, e.Room()} {
			l, err := passage.Lengths{Max: most, Count: e.Tokens}.WithDefaults()
			if err != nil {
				t.Fatal(err)
			}
			for _, blocks := range [][]passage.Block{passage.Blocks(text), passage.Code(text)} {
				_, parts := l.Cut(blocks)
				total := 0
				for _, p := range parts {
					n := e.Tokens(p.Text)
					if total += n; n > most {
						t.Errorf("%s: got a passage of %d tokens, want at most %d: %q", name, n, most, p.Text)
					}
				}
				if name == "prose" && total/len(parts) < most*3/4 {
					t.Errorf("%s: passages have only %d tokens on average, with a maximum of %d", name, total/len(parts), most)
				}
			}
		}
	}
}

func BenchmarkCut(b *testing.B) {
	e, err := builtin.New()
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range texts(b) {
		blocks := passage.Blocks(text)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				passage.Lengths{Min: 105, Max: 210, Count: e.Tokens}.Cut(blocks)
			}
		})
	}
}
