package retrieve

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// namedFields parses a list of names from a flag, separated by commas.
type namedFields struct{ names *[]string }

// UnmarshalText parses names; an empty text is an empty list.
func (n namedFields) UnmarshalText(text []byte) error {
	*n.names = []string{}
	for name := range strings.SplitSeq(string(text), ",") {
		if name = strings.TrimSpace(name); name != "" {
			*n.names = append(*n.names, name)
		}
	}
	return nil
}

// chosen returns the metadata fields with the given names, in their original order. Nested
// fields are named outer.inner, and a list stands for its elements. It returns nil if no field
// matches.
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
			key, _ = json.Marshal(field) // marshalling a string cannot fail
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

// Source returns the file that the document was read from, according to its metadata, or "" if
// unknown. It does not depend on Options.Fields.
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
