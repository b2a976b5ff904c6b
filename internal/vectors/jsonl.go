package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/nsfl-go/nsfl/passage"
)

// objects reads a JSON object on each line. Unknown fields become metadata.
type objects struct {
	lines *lines
	role  map[string]role
}

func newObjects(src *source, fields Fields) (*objects, error) {
	byName, err := fields.byName()
	if err != nil {
		return nil, err
	}
	l, err := newLines(src)
	return &objects{l, byName}, err
}

func (o *objects) count() (int64, bool) { return 0, false }

func (o *objects) next() (Row, place, error) {
	line, err := o.lines.next()
	where := place{offset: -1, line: o.lines.number}
	if err != nil {
		return Row{}, where, err
	}
	row, err := o.parse(line)
	return row, where, orBad(err, "the line is not a JSON object that can be read%s", hint(line))
}

// hint returns advice on common mistakes.
func hint(line []byte) string {
	switch trimmed := bytes.TrimSpace(line); {
	case trimmed[0] == '[':
		return ", but a list; write one object on each line, with jq -c '.[]'"
	case bytes.Contains(line, []byte("NaN")), bytes.Contains(line, []byte("Infinity")):
		return "; JSON has no NaN and no Infinity, which Python writes all the same: leave such rows out"
	case len(trimmed) == 1:
		return "; write one object on each line, with jq -c ."
	}
	return "; write one object on each line"
}

func (o *objects) parse(line []byte) (Row, error) {
	var row parts
	var seen [roles]string
	err := walk(line, func(name string, value json.RawMessage) error {
		r := o.role[name]
		if r == roleOther {
			row.meta.add(name, value)
			return nil
		}
		if seen[r] != "" {
			return bad(ErrFormat, "the fields %s and %s are for the same thing; leave one out, or name the one to use", clip(seen[r]), clip(name))
		}
		seen[r] = name
		if string(value) == "null" {
			return nil
		}
		return orBad(row.set(r, field(value)), "the field %s cannot be read", clip(name))
	})
	if err != nil {
		return Row{}, err
	}
	return row.join()
}

// field is the JSON of one field.
type field json.RawMessage

// id accepts strings and numbers.
func (f field) id() (string, error) {
	if isNumeral(f) {
		return string(f), nil
	}
	if f[0] != '"' {
		return "", errors.New("an id is a string or a number")
	}
	return f.text()
}

func (f field) text() (text string, err error) {
	if json.Unmarshal(f, &text) != nil {
		err = errors.New("it has to be a string")
	}
	return text, err
}

func (f field) texts() (texts []string, err error) {
	if json.Unmarshal(f, &texts) != nil {
		err = errors.New("it has to be a list of strings")
	}
	return texts, err
}

func (f field) places() (places []passage.Place, err error) {
	if json.Unmarshal(f, &places) != nil {
		err = errors.New("it has to be a list of objects with heading, page and line")
	}
	return places, err
}

func (f field) object() (json.RawMessage, error) { return json.RawMessage(f), nil }

// isNumeral reports whether a JSON value is a number.
func isNumeral(value []byte) bool {
	return len(value) > 0 && (value[0] == '-' || '0' <= value[0] && value[0] <= '9')
}

func (f field) vectors() ([][]float32, error) {
	var parts []json.RawMessage
	if json.Unmarshal(f, &parts) != nil {
		return nil, errors.New("it has to be a list of vectors")
	}
	vectors := make([][]float32, len(parts))
	for i, part := range parts {
		var err error
		if vectors[i], err = field(part).vector(); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

// vector reads a list of numbers. The value is known to be JSON: what begins
// like a number is one, and a comma outside of a number is between elements, up to
// the first that is none.
func (f field) vector() ([]float32, error) {
	if f[0] != '[' {
		return nil, errors.New("a vector is a list of numbers")
	}
	n := bytes.Count(f, []byte{','}) + 1
	if n > maxDimension {
		return nil, bad(ErrDimension, "a vector has %d components, above the limit of %d", n, maxDimension)
	}
	inside := bytes.TrimSpace(f[1 : len(f)-1])
	if len(inside) == 0 {
		return nil, nil
	}
	v := make([]float32, 0, n)
	for part := range bytes.SplitSeq(inside, []byte{','}) {
		part = bytes.TrimSpace(part)
		if !isNumeral(part) {
			return nil, errors.New("a vector is a list of numbers; component " + strconv.Itoa(len(v)) + " is none")
		}
		x, err := strconv.ParseFloat(string(part), 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, err
		}
		v = append(v, float32(x)) // beyond the range it is infinite
	}
	return v, nil
}
