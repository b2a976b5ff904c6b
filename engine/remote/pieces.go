package remote

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"runtime"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Spell cuts the texts of documents into pieces of words.
func Spell(ctx context.Context, docs []engine.Document) ([][]uint16, error) {
	out := make([][]uint16, len(docs))
	return out, workers.Each(ctx, len(docs), runtime.GOMAXPROCS(0), func(_ context.Context, i int) error {
		out[i] = words.Pieces(docs[i].Segments())
		return nil
	})
}

// PackPieces encodes pieces as bytes, two for each, in little-endian order.
func PackPieces(pieces []uint16) []byte {
	out := make([]byte, 0, 2*len(pieces))
	for _, p := range pieces {
		out = binary.LittleEndian.AppendUint16(out, p)
	}
	return out
}

// UnpackPieces decodes the result of PackPieces.
func UnpackPieces(stored []byte) ([]uint16, error) {
	if len(stored)%2 != 0 {
		return nil, fmt.Errorf("the words of a document have %d bytes, which is odd: %s", len(stored), changed)
	}
	out := make([]uint16, len(stored)/2)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(stored[2*i:])
	}
	return out, nil
}

const changed = "something else has changed it, and storing it again puts it right"

// SpellTokens encodes pieces as a text for an index of words: each piece is a word of four
// hexadecimal digits.
func SpellTokens(pieces []uint16) string {
	var b strings.Builder
	b.Grow(tokenLength * len(pieces))
	for i, p := range pieces {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Token(p))
	}
	return b.String()
}

// tokenLength is the length of a token with its separator.
const tokenLength = 5

// Token encodes one piece.
func Token(piece uint16) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint16(nil, piece))
}

// ReadTokens decodes the result of SpellTokens.
func ReadTokens(stored string) ([]uint16, error) {
	out := make([]uint16, (len(stored)+1)/tokenLength)
	for i := range out {
		var b [2]byte
		token := stored[tokenLength*i:]
		if _, err := hex.Decode(b[:], []byte(token[:tokenLength-1])); err != nil {
			return nil, fmt.Errorf("the words of a document have %.10q among them: %s", token, changed)
		}
		out[i] = binary.BigEndian.Uint16(b[:])
	}
	if SpellTokens(out) != stored {
		return nil, fmt.Errorf("the words of a document are not divided as they were: %s", changed)
	}
	return out, nil
}
