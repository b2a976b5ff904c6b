package retrieve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// namedFields is a list of names as a flag has it, between commas.
type namedFields struct{ names *[]string }

// UnmarshalText reads names; no name is an empty list.
func (n namedFields) UnmarshalText(text []byte) error {
	*n.names = []string{}
	for name := range strings.SplitSeq(string(text), ",") {
		if name = strings.TrimSpace(name); name != "" {
			*n.names = append(*n.names, name)
		}
	}
	return nil
}

// chosen is what of metadata has one of some names, in its order: outer.inner is a field
// within a field, and a list stands for its elements. It is nil where nothing has.
func chosen(metadata json.RawMessage, names []string) json.RawMessage {
	if out, ok := chosenWithin(metadata, "", names); ok {
		return out
	}
	return nil
}

func chosenWithin(value json.RawMessage, above string, names []string) (json.RawMessage, bool) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || value[0] != '{' && value[0] != '[' {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(value))
	open, err := d.Token()
	if err != nil {
		return nil, false
	}
	var parts [][]byte
	for d.More() {
		name, key := above, []byte(nil)
		if open == json.Delim('{') {
			token, err := d.Token()
			field, ok := token.(string)
			if err != nil || !ok {
				return nil, false
			}
			if name = field; above != "" {
				name = above + "." + field
			}
			key, _ = json.Marshal(field) // which is a text
			key = append(key, ':')
		}
		var inner json.RawMessage
		if d.Decode(&inner) != nil {
			return nil, false
		}
		if open == json.Delim('{') && slices.Contains(names, name) {
			parts = append(parts, append(key, inner...))
		} else if some, ok := chosenWithin(inner, name, names); ok {
			parts = append(parts, append(key, some...))
		}
	}
	if len(parts) == 0 {
		return nil, false
	}
	ends := "{}"
	if open == json.Delim('[') {
		ends = "[]"
	}
	return slices.Concat([]byte(ends[:1]), bytes.Join(parts, []byte(",")), []byte(ends[1:])), true
}

// Source is the file that a document was read from, by its metadata; empty where they do not
// say. It is known whichever fields are told.
func (h *Hit) Source() string {
	if h.source != "" {
		return h.source
	}
	return sourceOf(h.Metadata)
}

func sourceOf(metadata json.RawMessage) string {
	var m struct{ Source any }
	if len(metadata) == 0 || json.Unmarshal(metadata, &m) != nil {
		return ""
	}
	source, _ := m.Source.(string)
	return source
}
