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

// key is the key of a text's vector.
type key [sha256.Size]byte

// entry is a vector with its key. The vector is nil until it is known.
type entry struct {
	key    key
	vector []float32
	cut    bool
}

// identitySum hashes an identity. Go's %#v notation has every field, including those
// added to the type later, and is unambiguous.
func identitySum(id encoder.Identity) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%#v", id))
}

func keyOf(identity [32]byte, prefix, text string) key {
	h := sha256.New()
	h.Write(identity[:])
	io.WriteString(h, prefix) //nolint:errcheck // writing to a hash never fails
	io.WriteString(h, text)   //nolint:errcheck // as above
	return key(h.Sum(nil))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// overhead is the number of bytes in a value after the vector's little-endian float32s: a
// byte that is 1 for a cut text, and a checksum of all that and the key, since SQLite has
// no checksums.
const overhead = 1 + 4

func (e *entry) value() []byte {
	b := make([]byte, 0, 4*len(e.vector)+overhead)
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

// setValue decodes b and reports whether it is a vector of this dimension stored under the
// entry's key.
func (e *entry) setValue(b []byte, dim int) bool {
	if len(b) != 4*dim+overhead {
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
