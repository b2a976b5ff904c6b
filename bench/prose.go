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

// firstWord is the index of "the", the first word in the vocabulary. Words after it are ordered
// by frequency.
const firstWord = 1996

// newProse reads the vocabulary, from the repository's root.
func newProse() (*prose, error) {
	pieces, err := readPieces("internal/words/vocabulary.bin")
	if err != nil {
		return nil, err
	}
	p := &prose{pieces: pieces[firstWord:]}
	p.zipf = rand.NewZipf(rand.New(rand.NewPCG(1, 3)), 1.05, 2.7, uint64(len(p.pieces)-1))
	return p, nil
}

// readPieces reads the pieces from the file that package words embeds.
func readPieces(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; run it from the repository's root", err)
	}
	const at = 12 // after a magic number and a length
	if len(data) < at || len(data) < at+int(binary.LittleEndian.Uint32(data[at-4:])) {
		return nil, errors.New(file + " ends too early")
	}
	pieces := strings.Split(string(data[at:at+int(binary.LittleEndian.Uint32(data[at-4:]))]), "\n")
	if len(pieces) <= firstWord || pieces[firstWord] != "the" {
		return nil, errors.New(file + " is not the vocabulary that was expected")
	}
	return pieces, nil
}

// next draws the index of a piece.
func (p *prose) next() int { return int(p.zipf.Uint64()) }

// text returns a text of n pieces.
func (p *prose) text(n int) string {
	var b strings.Builder
	for i := range n {
		piece := p.pieces[p.next()]
		rest, continues := strings.CutPrefix(piece, "##")
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
