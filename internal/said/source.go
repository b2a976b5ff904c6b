package said

import (
	"encoding/json"

	"github.com/nsfl-go/nsfl/retrieve"
)

// Source is the file that a document was read from, by its metadata; empty where they
// do not say.
func Source(h *retrieve.Hit) string {
	var m struct{ Source any }
	if len(h.Metadata) == 0 || json.Unmarshal(h.Metadata, &m) != nil {
		return ""
	}
	source, _ := m.Source.(string)
	return source
}
