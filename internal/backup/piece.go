package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxPiece is the most bytes of a piece, and what those of a file have that grows: all
// but the last stay what they are.
const maxPiece = 4 << 20

// The changes of the ledger are scattered over it, so that small pieces are more often
// the same as before; but so many that storing each takes longer than what is spared
// there shall not be.
const (
	minPiece   = 64 << 10
	mostPieces = 8 << 10
)

// pieceOf is how many bytes all pieces of a file have but the last.
func (r *Repository) pieceOf(length int64, grows bool) int64 {
	if grows {
		return r.piece
	}
	small := r.small
	for length/small > mostPieces && small < r.piece {
		small *= 2
	}
	return small
}

// Sum is the SHA-256 of a piece, and its name.
type Sum [sha256.Size]byte

// String is a sum in hexadecimal.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// MarshalText is how a manifest has a sum.
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a sum.
func (s *Sum) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(s) {
		return errors.New("a sum has 64 hexadecimal digits")
	}
	_, err := hex.Decode(s[:], text)
	return err
}

const piecesFolder = "pieces/"

func (s Sum) name() string { return piecesFolder + s.String()[:2] + "/" + s.String() }

// sumOf reads the name of a piece.
func sumOf(name string) (s Sum, ok bool) {
	err := s.UnmarshalText([]byte(name[max(0, len(name)-2*len(s)):]))
	return s, err == nil && s.name() == name
}

// Both can be used by many at once.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)) // the options are possible
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPiece+1<<10), zstd.WithDecoderConcurrency(0))
)

// maxPacked bounds what a piece may have where it is kept: what cannot be compressed
// gets a little longer.
const maxPacked = maxPiece + maxPiece/16

// putPiece keeps a piece, and tells how many bytes it takes.
func (r *Repository) putPiece(ctx context.Context, s Sum, content []byte) (int, error) {
	packed := packer.EncodeAll(content, nil)
	return len(packed), r.place.Put(ctx, s.name(), packed)
}

// getPiece reads a piece and compares it with its name.
func (r *Repository) getPiece(ctx context.Context, s Sum, length int64) ([]byte, error) {
	packed, err := r.place.Get(ctx, s.name(), maxPacked)
	if err != nil {
		return nil, fmt.Errorf("piece %s: %w", s, err)
	}
	content, err := unpacker.DecodeAll(packed, make([]byte, 0, length))
	if err != nil || int64(len(content)) != length || sha256.Sum256(content) != s {
		return nil, fmt.Errorf("piece %s is not what was stored", s)
	}
	return content, nil
}
