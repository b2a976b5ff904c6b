package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxPiece is the maximum piece size, used for files that only grow: all pieces but the
// last stay the same.
const maxPiece = 4 << 20

// Changes to the ledger are scattered, so smaller pieces are more likely to be unchanged.
// But too many pieces would cost more time than they save.
const (
	minPiece   = 64 << 10
	mostPieces = 8 << 10
)

// pieceOf returns the size of all pieces of a file but the last.
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

// Sum is the SHA-256 of a piece, which names it.
type Sum [sha256.Size]byte

// String returns the sum in hexadecimal.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// MarshalText implements encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Sum) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(s) {
		return errors.New("a sum has 64 hexadecimal digits")
	}
	_, err := hex.Decode(s[:], text)
	return err
}

const piecesFolder = "pieces/"

func (s Sum) name() string { return piecesFolder + s.String()[:2] + "/" + s.String() }

func sumOf(name string) (s Sum, ok bool) {
	err := s.UnmarshalText([]byte(name[max(0, len(name)-2*len(s)):]))
	return s, err == nil && s.name() == name
}

// Both are safe for concurrent use.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)) // the options are valid
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPiece+1<<10), zstd.WithDecoderConcurrency(0))
)

// maxPacked limits the stored size of a piece: incompressible data grows a little.
const maxPacked = maxPiece + maxPiece/16

// putPiece stores a piece and returns its compressed size.
func (r *Repository) putPiece(ctx context.Context, s Sum, content []byte) (int, error) {
	packed := packer.EncodeAll(content, nil)
	return len(packed), r.place.Put(ctx, s.name(), packed)
}

// getPiece reads a piece and verifies it against its name.
func (r *Repository) getPiece(ctx context.Context, s Sum, length int64) ([]byte, error) {
	packed, err := r.place.Get(ctx, s.name(), maxPacked)
	if err != nil {
		return nil, fmt.Errorf("piece %s: %w", s, err)
	}
	content, err := unpacker.DecodeAll(packed, make([]byte, 0, length))
	if err != nil || int64(len(content)) != length || sha256.Sum256(content) != s {
		return nil, fmt.Errorf("piece %s is damaged", s)
	}
	return content, nil
}
