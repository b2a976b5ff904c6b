package vectors

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/nsfl-go/nsfl/passage"
)

// maxList is the maximum number of values of a row in one column, except its vector.
const maxList = 1 << 24

// column reads the values of a leaf, row by row.
type column struct {
	role  role
	name  string
	leaf  *parquet.Column
	limit int // values in a row
	// present are the definition levels from which on an element of the outer
	// and of the inner list is there; below it the list is empty or null.
	present [2]byte
	json    func(parquet.Value) (json.RawMessage, error) // nil: not a kind that is read

	values parquet.ColumnChunkValueReader // of the row group; nil: there is none
	buf    []parquet.Value                // read ahead
	at     int
	row    []parquet.Value // of the present row
}

func newColumn(r role, name string, top, leaf *parquet.Column) *column {
	c := &column{role: r, name: name, leaf: leaf, limit: maxList, json: jsonOf(leaf)}
	if r == roleVector {
		c.limit = maxDimension
	}
	definition, repetition := byte(0), 0
	for node := top; ; {
		if !node.Required() {
			definition++
		}
		if node.Repeated() && repetition < len(c.present) {
			c.present[repetition] = definition
			repetition++
		}
		if node.Leaf() {
			return c
		}
		// The path leads to the leaf, one name after the other.
		node = node.Column(leaf.Path()[len(node.Path())])
	}
}

// next reads the values of the next row. They remain valid after their page.
func (c *column) next() error {
	c.row = c.row[:0]
	for {
		if c.at == len(c.buf) {
			err := c.fill()
			if errors.Is(err, io.EOF) && len(c.row) > 0 {
				return nil
			} else if errors.Is(err, io.EOF) {
				return bad(ErrTruncated, "the column %s ends before the others; the file is damaged", clip(c.name))
			} else if err != nil {
				return err
			}
		}
		for ; c.at < len(c.buf); c.at++ {
			v := c.buf[c.at]
			if len(c.row) > 0 && v.RepetitionLevel() == 0 {
				return nil
			}
			if len(c.row) == c.limit {
				return bad(ErrDimension, "the column %s has more than %d values in one row, which is the limit", clip(c.name), c.limit)
			}
			if k := v.Kind(); k == parquet.ByteArray || k == parquet.FixedLenByteArray {
				v = v.Clone()
			}
			c.row = append(c.row, v)
		}
	}
}

// fill reads ahead.
func (c *column) fill() error {
	if c.values == nil {
		return io.EOF
	}
	if c.buf == nil {
		c.buf = make([]parquet.Value, 1024)
	}
	n, err := c.values.ReadValues(c.buf[:cap(c.buf)])
	c.buf, c.at = c.buf[:n], 0
	if n > 0 {
		return nil
	}
	return err
}

// end closes a row group, which must be read completely.
func (c *column) end() error {
	if c.values == nil {
		return nil
	}
	if c.at == len(c.buf) {
		if err := c.fill(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	if c.at < len(c.buf) {
		return bad(ErrTrailing, "the column %s goes on after the others; the file is damaged", clip(c.name))
	}
	err := c.values.Close()
	c.values = nil
	return err
}

// text returns the text of the row, or "".
func (c *column) text() (string, error) {
	if c.row[0].IsNull() {
		return "", nil
	}
	return textOf(c.row[0])
}

func textOf(v parquet.Value) (string, error) {
	if b := v.ByteArray(); utf8.Valid(b) {
		return string(b), nil
	}
	return "", errors.New("the text is not valid UTF-8")
}

// id returns a text or number as the id.
func (c *column) id() (string, error) {
	if isText(c.leaf) || c.row[0].IsNull() {
		return c.text()
	}
	raw, err := c.json(c.row[0])
	return string(raw), err
}

func (c *column) object() (json.RawMessage, error) {
	text, err := c.text()
	return json.RawMessage(text), err
}

func (c *column) elements() []parquet.Value {
	if c.row[0].DefinitionLevel() < int(c.present[0]) {
		return nil
	}
	return c.row
}

func (c *column) texts() ([]string, error) {
	var out []string
	for _, v := range c.elements() {
		text, err := textOf(v)
		if err != nil || v.IsNull() {
			return nil, errors.Join(errors.New("a passage cannot be read or is null"), err)
		}
		out = append(out, text)
	}
	return out, nil
}

// places returns the places of passages, each the text of an object.
func (c *column) places() ([]passage.Place, error) {
	texts, err := c.texts()
	out := make([]passage.Place, len(texts))
	for i := range texts {
		if json.Unmarshal([]byte(texts[i]), &out[i]) != nil {
			return nil, errors.New("a place has to be the text of an object with heading, page and line")
		}
	}
	return out, err
}

func (c *column) vector() ([]float32, error) {
	elements := c.elements()
	if len(elements) == 0 {
		return nil, nil
	}
	out := make([]float32, len(elements))
	for i, v := range elements {
		var err error
		if out[i], err = numberOf(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *column) vectors() ([][]float32, error) {
	var out [][]float32
	for _, v := range c.elements() {
		if v.RepetitionLevel() < 2 {
			out = append(out, nil)
		}
		if v.DefinitionLevel() < int(c.present[1]) {
			continue
		}
		x, err := numberOf(v)
		if err != nil {
			return nil, err
		}
		last := &out[len(out)-1]
		*last = append(*last, x)
	}
	return out, nil
}

// addTo adds the value or list of values to the metadata; null is left out.
func (c *column) addTo(m *metadata) error {
	if c.leaf.MaxRepetitionLevel() == 0 {
		if c.row[0].IsNull() {
			return nil
		}
		raw, err := c.json(c.row[0])
		m.add(c.name, raw)
		return err
	}
	if c.row[0].DefinitionLevel() < int(c.present[0])-1 {
		return nil
	}
	list := []byte{'['}
	for i, v := range c.elements() {
		if i > 0 {
			list = append(list, ',')
		}
		raw := json.RawMessage("null")
		if !v.IsNull() {
			var err error
			if raw, err = c.json(v); err != nil {
				return err
			}
		}
		list = append(list, raw...)
	}
	m.add(c.name, slices.Concat(list, []byte{']'}))
	return nil
}
