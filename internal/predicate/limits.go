package predicate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/nsfl-go/nsfl/internal/jsonlimit"
)

// Limits of a document's metadata. Every value is stored under the names of all its parents,
// so a small but deeply nested text would become a large table.
const (
	MaxDepth  = 16      // objects and lists inside each other
	MaxValues = 4096    // strings, numbers, truth values
	MaxBytes  = 1 << 20 // as it is written, and of all values with their fields
)

// Problem returns the reason why metadata cannot be stored. It is empty if there is
// none, or if Values reports it. It needs no more memory than the text.
func Problem(metadata []byte) string {
	if len(metadata) > MaxBytes {
		return fmt.Sprintf("the metadata has %d bytes, at most %d are possible; long values belong into the text", len(metadata), MaxBytes)
	}
	s, err := jsonlimit.Of(metadata)
	if err != nil || s.Depth > MaxDepth {
		return fmt.Sprintf("the metadata is nested more than %d deep; write it with fewer objects and lists inside each other", MaxDepth)
	}
	if s.Values <= MaxValues && s.Values*len(metadata) <= MaxBytes {
		return "" // however it is nested
	}
	values, size := flat(metadata)
	switch {
	case values > MaxValues:
		return fmt.Sprintf("the metadata has %d values, at most %d are possible", values, MaxValues)
	case size > MaxBytes:
		return fmt.Sprintf("the values of the metadata have %d bytes, each with the names of all fields it stands in; at most %d are possible: use shorter names, or fewer inside each other", size, MaxBytes)
	}
	return ""
}

// flat counts the values of metadata, and the bytes that Values would make of them.
func flat(metadata []byte) (values, size int) {
	decoder := json.NewDecoder(bytes.NewReader(metadata))
	decoder.UseNumber()
	type level struct {
		path   int  // the length of the names above
		object bool // names and values take turns
		named  bool // a name has come, and its value is next
		field  int  // the length of the names with the last one
	}
	levels := []level{{}}
	for {
		token, err := decoder.Token()
		if err != nil { // the end, or what Values reports
			return values, size
		}
		at := &levels[len(levels)-1]
		field := at.path
		if at.object {
			field = at.field
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{', '[':
				at.named = false
				levels = append(levels, level{path: field, object: token == '{'})
			default:
				levels = levels[:len(levels)-1]
			}
			continue
		case string:
			if at.object && !at.named {
				at.named, at.field = true, at.path+1+len(token)
				continue
			}
			size += len(token)
		case json.Number:
			size += len(token)
		}
		at.named = false
		if token != nil {
			values, size = values+1, size+field
		}
	}
}
