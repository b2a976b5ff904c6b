package ingest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Common names of an object's fields, in order of preference.
var (
	idFields    = []string{"_id", "id"}
	titleFields = []string{"title"}
	textFields  = []string{"text", "body", "content"}
)

// draftOf finds a document in a JSON object. Fields other than id, title, text and passages
// become metadata: the fields of an object "metadata", and top-level strings, numbers,
// booleans and lists of these. Nested objects and long lists of numbers, which are vectors, do
// not.
func draftOf(b *budget, object map[string]json.RawMessage, o Options) (draft, error) {
	var d draft
	for _, wanted := range []struct {
		given string
		names []string
		use   func(json.RawMessage) error
	}{
		{o.ID, idFields, scalar(&d.id)},
		{o.Title, titleFields, scalar(&d.title)},
		{o.Text, textFields, func(raw json.RawMessage) error { return d.setText(b, raw) }},
		{"", []string{"passages"}, d.setPassages},
	} {
		names := wanted.names
		if wanted.given != "" {
			names = []string{wanted.given}
		}
		for _, name := range names {
			raw, ok := object[name]
			if !ok || string(raw) == "null" {
				continue
			}
			if err := wanted.use(raw); err != nil {
				return d, fmt.Errorf("its field %q %w", name, err)
			}
			delete(object, name)
			break
		}
	}
	if d.title == "" && d.blocks == nil && d.passages == nil {
		return d, unusable(NoText, "it has nothing in a field %s", quoted(o.Text, append(textFields, "passages", "title")))
	}
	d.metadata = metadataOf(object)
	return d, nil
}

// setText accepts a string, or a list of strings, which become passages.
func (d *draft) setText(b *budget, raw json.RawMessage) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		d.blocks = b.blocks(s)
		return b.err
	}
	if d.setPassages(raw) != nil {
		return unusable(Malformed, "is neither a string nor a list of them")
	}
	return nil
}

func (d *draft) setPassages(raw json.RawMessage) error {
	if json.Unmarshal(raw, &d.passages) != nil {
		return unusable(Malformed, "is not a list of strings")
	}
	return nil
}

// scalar reads a string, or a number as it is written.
func scalar(into *string) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		var number json.Number
		switch {
		case raw[0] == '"' && json.Unmarshal(raw, into) == nil:
		case json.Unmarshal(raw, &number) == nil:
			*into = number.String()
		default:
			return unusable(Malformed, "is neither a string nor a number")
		}
		return nil
	}
}

func metadataOf(object map[string]json.RawMessage) map[string]any {
	out := map[string]any{}
	var inner map[string]json.RawMessage
	if raw, ok := object["metadata"]; ok && json.Unmarshal(raw, &inner) == nil {
		delete(object, "metadata")
		for name, value := range inner {
			out[name] = value
		}
	}
	for name, value := range object {
		if _, taken := out[name]; !taken && isSmall(value) {
			out[name] = value
		}
	}
	return out
}

// isSmall reports whether a value is suitable for metadata.
func isSmall(value json.RawMessage) bool {
	const mostNumbers = 64
	switch value[0] {
	case '{', 'n':
		return false
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			return false
		}
		numbers := 0
		for _, v := range list {
			switch v[0] {
			case '{', '[', 'n':
				return false
			case '"', 't', 'f':
			default:
				numbers++
			}
		}
		return len(list) > 0 && numbers <= mostNumbers
	}
	return true
}

// quoted lists the names that were looked for.
func quoted(given string, names []string) string {
	if given != "" {
		return fmt.Sprintf("%q", given)
	}
	return `"` + strings.Join(names, `", "`) + `"`
}
