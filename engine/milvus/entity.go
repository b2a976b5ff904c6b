package milvus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/query"
)

func (d *driver) wanted(want remote.Want) []string {
	out := []string{d.table.key}
	for part, name := range map[engine.Parts]string{engine.Titles: d.roles.Title, engine.Texts: d.roles.Text, engine.Vectors: d.roles.Vector} {
		if name != "" && want.All().Has(part) {
			out = append(out, d.outputOf(name))
		}
	}
	if want.Parts.Has(engine.Metadata) {
		out = append(append(out, d.plain()...), d.objects()...)
	}
	if want.Filter != nil {
		out = append(out, d.judged(want.Filter)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (d *driver) entry(r *rows, i int, want remote.Want) (e *remote.Entry, err error) {
	e = &remote.Entry{Ref: engine.Ref{Key: r.keys[i]}}
	fields := r.object(i, dynamicField)
	if fields == nil {
		fields = map[string]json.RawMessage{}
	}
	for _, f := range d.fields {
		delete(fields, f.GetName())
		if kindOf(f) != remote.Vector {
			if value := r.value(i, f.GetName()); value != nil {
				fields[f.GetName()] = value
			}
		}
	}
	if e.Document, err = d.roles.Document(r.keys[i], fields, want); want.Parts.Has(engine.Vectors) {
		if v := r.vector(i, d.roles.Vector); len(v) == d.dim {
			e.Vector = v
		}
	}
	return e, err
}

func (d *driver) objects() (out []string) {
	if d.roles.Metadata != "" && d.roles.Metadata != dynamicField {
		out = append(out, d.roles.Metadata)
	}
	if d.dynamic {
		out = append(out, dynamicField)
	}
	return out
}

// plain returns the fields without a role whose values can be metadata.
func (d *driver) plain() (out []string) {
	for _, f := range d.fields {
		if kind := kindOf(f); d.roles.IsMetadata(f.GetName()) && kind != remote.Other && kind != remote.Vector {
			out = append(out, f.GetName())
		}
	}
	return out
}

// outputOf returns the name by which a field, or a key of the dynamic field, is requested:
// the rest of the dynamic field may be long.
func (d *driver) outputOf(name string) string {
	if d.isField(name) || names.MatchString(name) {
		return name
	}
	return dynamicField
}

func (d *driver) judged(filter query.Node) []string {
	var out []string
	for leaf := range query.Leaves(filter) {
		p, ok := leaf.(*query.Predicate)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(p.Field, ".")
		if d.isField(name) {
			out = append(out, name)
		}
		for _, object := range d.objects() {
			if object == dynamicField {
				object = d.outputOf(p.Field) // which may have a key a.b
			}
			out = append(out, object)
		}
	}
	return out
}

// dynamicField is the field with the values of entities that are not in the schema.
const dynamicField = "$meta"

// rows are entities, stored field by field.
type rows struct {
	keys   []string
	fields map[string]*column
}

type column struct {
	*wire.FieldData
	scalars [][]byte // as JSON; nil for a value that JSON does not have
	places  []int    // where the value of each entity is; -1: it has none
}

func readRows(data []*wire.FieldData, key string) (*rows, error) {
	r := &rows{fields: map[string]*column{}}
	for _, d := range data {
		name := d.GetFieldName()
		if d.GetIsDynamic() {
			name = dynamicField
		}
		r.fields[name] = &column{FieldData: d, scalars: scalarsOf(d.GetScalars())}
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

// place sets the positions of the values of n entities. Milvus may or may not leave out
// missing values.
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

func (c *column) length() int {
	if v := c.GetVectors(); v != nil {
		if dim := v.GetDim(); dim > 0 {
			return len(v.GetFloatVector().GetData()) / int(min(dim, math.MaxInt32))
		}
		return 0
	}
	return len(c.scalars)
}

func (r *rows) at(i int, field string) (*column, int) {
	c := r.fields[field]
	if c == nil {
		return nil, -1
	}
	return c, c.places[i]
}

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

func (r *rows) value(i int, field string) json.RawMessage {
	c, at := r.at(i, field)
	if at < 0 || at >= len(c.scalars) {
		return nil
	}
	return c.scalars[at]
}

func (r *rows) object(i int, field string) map[string]json.RawMessage {
	var o map[string]json.RawMessage
	if json.Unmarshal(r.value(i, field), &o) != nil {
		return nil
	}
	return o
}

func scalarsOf(s *wire.ScalarField) [][]byte {
	switch d := s.GetData().(type) {
	case *wire.ScalarField_BoolData:
		return written(d.BoolData.GetData(), func(x bool) []byte { return strconv.AppendBool(nil, x) })
	case *wire.ScalarField_IntData:
		return written(d.IntData.GetData(), func(x int32) []byte { return strconv.AppendInt(nil, int64(x), 10) })
	case *wire.ScalarField_LongData:
		return written(d.LongData.GetData(), func(x int64) []byte { return strconv.AppendInt(nil, x, 10) })
	case *wire.ScalarField_TimestamptzData:
		return written(d.TimestamptzData.GetData(), func(x int64) []byte { return strconv.AppendInt(nil, x, 10) })
	case *wire.ScalarField_FloatData:
		return written(d.FloatData.GetData(), func(x float32) []byte { return floating(float64(x), 32) })
	case *wire.ScalarField_DoubleData:
		return written(d.DoubleData.GetData(), func(x float64) []byte { return floating(x, 64) })
	case *wire.ScalarField_StringData:
		return written(d.StringData.GetData(), func(x string) []byte {
			b, _ := json.Marshal(x) // a string can be
			return b
		})
	case *wire.ScalarField_JsonData:
		return written(d.JsonData.GetData(), func(x []byte) []byte {
			if !json.Valid(x) {
				return nil
			}
			return x
		})
	case *wire.ScalarField_ArrayData:
		return written(d.ArrayData.GetData(), arrayOf)
	}
	return nil
}

func written[T any](values []T, write func(T) []byte) [][]byte {
	out := make([][]byte, len(values))
	for i, x := range values {
		out[i] = write(x)
	}
	return out
}

// arrayOf is an array as JSON. No array is in an array.
func arrayOf(s *wire.ScalarField) []byte {
	if s.GetArrayData() != nil {
		return nil
	}
	values := slices.DeleteFunc(scalarsOf(s), func(value []byte) bool { return value == nil })
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// floating formats a number with as many digits as it needs. It returns nil for numbers that JSON
// does not have.
func floating(x float64, bits int) []byte {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return strconv.AppendFloat(nil, x, 'g', -1, bits)
}
