package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/nsfl-go/nsfl/encoder"
)

// key is the place of a text's vector.
type key [sha256.Size]byte

// entry is a vector under its key. One without a vector is not known yet.
type entry struct {
	key    key
	vector []float32
	cut    bool
}

// identitySum stands for all of an identity. The notation of Go has every field,
// those too that the type may get later, and leaves no doubt where one ends.
func identitySum(id encoder.Identity) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%#v", id))
}

func keyOf(identity [32]byte, prefix, text string) key {
	h := sha256.New()
	h.Write(identity[:])
	io.WriteString(h, prefix) //nolint:errcheck // a hash takes everything
	io.WriteString(h, text)   //nolint:errcheck // likewise
	return key(h.Sum(nil))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// beside is what a value has beside the vector in little-endian float32s: a byte
// that is 1 for a cut text, and a checksum of these and the key, since SQLite has
// none.
const beside = 1 + 4

func (e *entry) value() []byte {
	b := make([]byte, 0, 4*len(e.vector)+beside)
	for _, x := range e.vector {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	if e.cut {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	return binary.LittleEndian.AppendUint32(b, e.checksum(b))
}

func (e *entry) checksum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(e.key[:], castagnoli), castagnoli, b)
}

// setValue is false if b is not the value of a vector of this dimension under the
// entry's key.
func (e *entry) setValue(b []byte, dim int) bool {
	if len(b) != 4*dim+beside {
		return false
	}
	b, sum := b[:4*dim+1], binary.LittleEndian.Uint32(b[4*dim+1:])
	if e.checksum(b) != sum {
		return false
	}
	e.vector = make([]float32, dim)
	for i := range e.vector {
		e.vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	e.cut = b[4*dim] == 1
	return true
}
