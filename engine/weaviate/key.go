package weaviate

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
)

// key is what an object is found by: its UUID, made of the id that the document
// has, or of the name of a note. All bits are those of a hash, also where a UUID
// may say how it came about, which Weaviate does not look at.
type key [16]byte

func keyOf(id string) key {
	sum := sha256.Sum256([]byte(id))
	return key(sum[:16])
}

// String is the key as Weaviate writes it.
func (k key) String() string {
	h := hex.EncodeToString(k[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func parseKey(text string) (key, error) {
	var k key
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
		if _, err := hex.Decode(k[:], []byte(digits)); err == nil {
			return k, nil
		}
	}
	return k, fmt.Errorf("%.40q is not a UUID", text)
}

// ref is the Ref of the document. It stays the same when the document is replaced.
func (k key) ref() engine.Ref { return engine.Ref{Key: k.String()} }

// token is a hash of strings, as short as it can be without two of them ever being
// the same.
func token(kind byte, parts ...string) string {
	h := sha256.New()
	h.Write([]byte{kind})
	for _, p := range parts {
		h.Write(binary.AppendUvarint(nil, uint64(len(p))))
		h.Write([]byte(p))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12])
}
