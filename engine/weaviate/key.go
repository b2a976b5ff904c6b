package weaviate

import (
	"encoding/hex"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
)

// key is the UUID of an object.
type key [16]byte

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
