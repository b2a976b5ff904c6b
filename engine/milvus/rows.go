package milvus

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
)

// dynamicField is where Milvus keeps what entities have beyond the fields of a schema.
const dynamicField = "$meta"

// rows are entities as they come, field by field.
type rows struct {
	keys   []string
	fields map[string]*column
}

// column is what entities have in one field.
type column struct {
	*wire.FieldData
	places []int // where the value of each entity is; -1: it has none
}

// readRows reads an answer, whose entities have a key.
func readRows(data []*wire.FieldData, key string) (*rows, error) {
	r := &rows{fields: map[string]*column{}}
	for _, d := range data {
		name := d.GetFieldName()
		if d.GetIsDynamic() {
			name = dynamicField
		}
		r.fields[name] = &column{FieldData: d}
	}
	keys := r.fields[key]
	if keys == nil {
		return nil, fmt.Errorf("entities come without their key: %w", errGarbage)
	}
	switch s := keys.GetScalars(); {
	case s.GetLongData() != nil:
		for _, n := range s.GetLongData().GetData() {
			r.keys = append(r.keys, strconv.FormatInt(n, 10))
		}
	default:
		r.keys = s.GetStringData().GetData()
	}
	for name, c := range r.fields {
		if err := c.place(len(r.keys)); err != nil {
			return nil, fmt.Errorf("field %.100q: %w: %w", name, err, errGarbage)
		}
	}
	return r, nil
}

// place finds out where the values of n entities are. Those that have none may be left out
// of the values, or not.
func (c *column) place(n int) error {
	length, valid := c.length(), c.GetValidData()
	there := 0
	for _, is := range valid {
		if is {
			there++
		}
	}
	c.places = make([]int, n)
	compact := length == there && length != n
	if len(valid) != 0 && len(valid) != n || len(valid) == 0 && length != n || length != n && !compact {
		return fmt.Errorf("%d values of %d entities", length, n)
	}
	for i, next := 0, 0; i < n; i++ {
		switch {
		case len(valid) > 0 && !valid[i]:
			c.places[i] = -1
		case compact:
			c.places[i] = next
			next++
		default:
			c.places[i] = i
		}
	}
	return nil
}

// length is how many values there are.
func (c *column) length() int {
	if v := c.GetVectors(); v != nil {
		if dim := v.GetDim(); dim > 0 {
			return len(v.GetFloatVector().GetData()) / int(min(dim, math.MaxInt32))
		}
		return 0
	}
	return lengthOf(c.GetScalars())
}

func lengthOf(s *wire.ScalarField) int {
	switch d := s.GetData().(type) {
	case *wire.ScalarField_BoolData:
		return len(d.BoolData.GetData())
	case *wire.ScalarField_IntData:
		return len(d.IntData.GetData())
	case *wire.ScalarField_LongData:
		return len(d.LongData.GetData())
	case *wire.ScalarField_FloatData:
		return len(d.FloatData.GetData())
	case *wire.ScalarField_DoubleData:
		return len(d.DoubleData.GetData())
	case *wire.ScalarField_StringData:
		return len(d.StringData.GetData())
	case *wire.ScalarField_ArrayData:
		return len(d.ArrayData.GetData())
	case *wire.ScalarField_JsonData:
		return len(d.JsonData.GetData())
	case *wire.ScalarField_TimestamptzData:
		return len(d.TimestamptzData.GetData())
	}
	return 0
}

// at returns the column and the position of entity i in it, or -1 if it has no value.
func (r *rows) at(i int, field string) (*column, int) {
	c := r.fields[field]
	if c == nil {
		return nil, -1
	}
	return c, c.places[i]
}

// vector returns a copy of the vector of entity i, or nil.
func (r *rows) vector(i int, field string) []float32 {
	c, at := r.at(i, field)
	if at < 0 {
		return nil
	}
	dim := int(c.GetVectors().GetDim())
	data := c.GetVectors().GetFloatVector().GetData()
	if dim <= 0 || (at+1)*dim > len(data) {
		return nil
	}
	return append([]float32(nil), data[at*dim:(at+1)*dim]...)
}

// value returns a field of entity i as JSON, or nil.
func (r *rows) value(i int, field string) json.RawMessage {
	c, at := r.at(i, field)
	if at < 0 {
		return nil
	}
	return valueOf(c.GetScalars(), at)
}

// object returns a JSON object of entity i, or nil.
func (r *rows) object(i int, field string) map[string]json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(r.value(i, field), &o) != nil {
		return nil
	}
	return o
}

func valueOf(s *wire.ScalarField, i int) json.RawMessage {
	if i >= lengthOf(s) {
		return nil
	}
	switch d := s.GetData().(type) {
	case *wire.ScalarField_BoolData:
		return strconv.AppendBool(nil, d.BoolData.GetData()[i])
	case *wire.ScalarField_IntData:
		return strconv.AppendInt(nil, int64(d.IntData.GetData()[i]), 10)
	case *wire.ScalarField_LongData:
		return strconv.AppendInt(nil, d.LongData.GetData()[i], 10)
	case *wire.ScalarField_TimestamptzData:
		return strconv.AppendInt(nil, d.TimestamptzData.GetData()[i], 10)
	case *wire.ScalarField_FloatData:
		return floating(float64(d.FloatData.GetData()[i]), 32)
	case *wire.ScalarField_DoubleData:
		return floating(d.DoubleData.GetData()[i], 64)
	case *wire.ScalarField_StringData:
		b, _ := json.Marshal(d.StringData.GetData()[i]) // a string can be
		return b
	case *wire.ScalarField_JsonData:
		if b := d.JsonData.GetData()[i]; json.Valid(b) {
			return b
		}
		return nil
	}
	row := s.GetArrayData().GetData()[i]
	out := json.RawMessage{'['}
	for j := range lengthOf(row) {
		if row.GetArrayData() != nil {
			return nil // no array is in an array
		}
		if value := valueOf(row, j); value != nil {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(out, value...)
		}
	}
	return append(out, ']')
}

// floating is a number with as many digits as it needs. JSON has none that is not finite.
func floating(x float64, bits int) json.RawMessage {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return strconv.AppendFloat(nil, x, 'g', -1, bits)
}
