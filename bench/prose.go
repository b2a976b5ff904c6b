//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// prose generates sentences that are as expensive as English ones: words of the vocabulary,
// distributed by Zipf's law.
type prose struct {
	pieces []string // the most common first
	zipf   *rand.Zipf
}

// pieceCount is the number of pieces of a text, as in an abstract or a description.
const pieceCount = 80

// newProse reads the vocabulary that package words embeds, from the repository's root.
func newProse() (*prose, error) {
	data, err := os.ReadFile("internal/words/vocabulary.bin")
	if err != nil {
		return nil, fmt.Errorf("%w; run it from the repository's root", err)
	}
	const header = 12 // a magic number and a length
	pieces := string(data[header : header+int(binary.LittleEndian.Uint32(data[header-4:]))])
	// From "the" on, pieces are ordered by frequency.
	_, less, ok := strings.Cut(pieces, "\nthe\n")
	if !ok {
		return nil, errors.New("internal/words/vocabulary.bin is not the vocabulary that was expected")
	}
	p := &prose{pieces: append([]string{"the"}, strings.Split(less, "\n")...)}
	p.zipf = rand.NewZipf(rand.New(rand.NewPCG(1, 3)), 1.05, 2.7, uint64(len(p.pieces)-1))
	return p, nil
}

// text returns a text of n pieces.
func (p *prose) text(n int) string {
	var b strings.Builder
	for i := range n {
		rest, continues := strings.CutPrefix(p.pieces[p.zipf.Uint64()], "##")
		switch {
		case i > 0 && continues:
		case i > 0 && i%16 == 0:
			b.WriteString(". ")
		case i > 0:
			b.WriteString(" ")
		}
		b.WriteString(rest)
	}
	b.WriteString(".")
	return b.String()
}
