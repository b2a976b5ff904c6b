package builtin

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/encoder/tokenizer"
)

// readVocabulary reads a piece of words a line, in the order of their ids: those
// of the teacher's tokenizer.json.
func readVocabulary(lines string, size int) (*tokenizer.Tokenizer, error) {
	pieces := strings.Split(lines, "\n")
	if len(pieces) != size {
		return nil, fmt.Errorf("%d pieces of words, want %d", len(pieces), size)
	}
	return tokenizer.Uncased(pieces)
}
