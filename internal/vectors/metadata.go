package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// field is a field of a JSON object.
type field struct {
	name  string
	value json.RawMessage
}

// joinMetadata merges an object with other fields. It returns one object on one line, or nothing
// if there is neither.
func joinMetadata(object json.RawMessage, others []field) (json.RawMessage, error) {
	if len(object) == 0 && len(others) == 0 {
		return nil, nil
	}
	all := map[string]json.RawMessage{}
	if len(object) > 0 {
		err := walk(object, func(name string, value json.RawMessage) error {
			all[name] = value
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	if len(others) == 0 {
		err := json.Compact(&out, object)
		return out.Bytes(), err
	}
	for _, f := range others {
		if _, twice := all[f.name]; twice {
			return nil, fmt.Errorf("the field %s occurs both in the metadata and outside it; rename one of them", clip(f.name))
		}
		all[f.name] = f.value
	}
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(all)
	return bytes.TrimSpace(out.Bytes()), err
}

// walk calls f for each field of a JSON object, in order. A duplicate name is an error.
func walk(object []byte, f func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil {
		return unexpected(err)
	} else if t != json.Delim('{') {
		return errors.New("it is not a JSON object in braces")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return unexpected(err)
		}
		name, ok := t.(string)
		if !ok || seen[name] {
			return errors.New("the field " + clip(name) + " stands in it twice")
		}
		seen[name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return unexpected(err)
		}
		if err := f(name, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return unexpected(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the closing brace")
	}
	return nil
}

// unexpected keeps the end of a line from looking like the end of the rows.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
