package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// metadata merges the object in the metadata field with all unknown fields.
type metadata struct {
	object json.RawMessage // from the field, or empty
	names  []string        // of the others
	values []json.RawMessage
}

func (m *metadata) add(name string, value json.RawMessage) {
	m.names = append(m.names, name)
	m.values = append(m.values, value)
}

// join returns one object on one line, or nothing if it is empty.
func (m *metadata) join() (json.RawMessage, error) {
	var out bytes.Buffer
	seen := map[string]bool{}
	add := func(name string, value json.RawMessage) error {
		if seen[name] {
			return fmt.Errorf("the field %s occurs both in the metadata and outside it; rename one of them", clip(name))
		}
		seen[name] = true
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.Write(quote(name))
		out.WriteByte(':')
		return json.Compact(&out, value)
	}
	if len(m.object) > 0 {
		if len(m.names) == 0 {
			err := walk(m.object, func(string, json.RawMessage) error { return nil })
			if err == nil {
				err = json.Compact(&out, m.object)
			}
			return out.Bytes(), err
		}
		if err := walk(m.object, add); err != nil {
			return nil, err
		}
	} else if len(m.names) == 0 {
		return nil, nil
	}
	for i, name := range m.names {
		if err := add(name, m.values[i]); err != nil {
			return nil, err
		}
	}
	return append(append([]byte{'{'}, out.Bytes()...), '}'), nil
}

// walk calls f for each field of a JSON object, in order. A duplicate name is an error.
func walk(object []byte, f func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return errors.New("it is not a JSON object in braces")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, ok := t.(string)
		if !ok || seen[name] {
			return errors.New("the field " + clip(name) + " stands in it twice")
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := f(name, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the closing brace")
	}
	return nil
}

// quote encodes a string as JSON, without HTML escapes.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string into memory
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
