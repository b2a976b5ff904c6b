package vectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// logical returns the logical type of a column, or nil.
func logical(leaf *parquet.Column) any {
	if t := leaf.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

// isText accepts text, and bytes without a logical type, which must be UTF-8.
func isText(leaf *parquet.Column) bool {
	if leaf.Type().Kind() != parquet.ByteArray {
		return false
	}
	switch logical(leaf).(type) {
	case nil, *format.StringType, *format.EnumType, *format.JsonType:
		return true
	}
	return false
}

func isInteger(leaf *parquet.Column) bool {
	if k := leaf.Type().Kind(); k != parquet.Int32 && k != parquet.Int64 {
		return false
	}
	switch logical(leaf).(type) {
	case nil, *format.IntType:
		return true
	}
	return false
}

// isNumber leaves out unsigned integers of 32 and 64 bits: no vectors are made of
// them, and they would be read as negative.
func isNumber(leaf *parquet.Column) bool {
	if n, ok := logical(leaf).(*format.IntType); ok && !n.IsSigned && n.BitWidth >= 32 {
		return false
	}
	k := leaf.Type().Kind()
	return k == parquet.Float || k == parquet.Double || isInteger(leaf)
}

// numberOf returns a component of a vector, of a type that isNumber accepts.
func numberOf(v parquet.Value) (float32, error) {
	var n int64
	switch {
	case v.IsNull():
		return 0, errors.New("a component of a vector is null")
	case v.Kind() == parquet.Float:
		return v.Float(), nil
	case v.Kind() == parquet.Double:
		return float32(v.Double()), nil
	case v.Kind() == parquet.Int32:
		n = int64(v.Int32())
	default:
		n = v.Int64()
	}
	if x := float32(n); math.Abs(float64(n)) <= 1<<24 {
		return x, nil
	}
	return 0, fmt.Errorf("%d is not exact as a float32; it does not look like part of a vector", n)
}

// jsonOf returns how values of a column are written in metadata, or nil if they cannot be.
func jsonOf(leaf *parquet.Column) func(parquet.Value) (json.RawMessage, error) {
	kind, meaning := leaf.Type().Kind(), logical(leaf)
	integer, _ := meaning.(*format.IntType)
	stamp, _ := meaning.(*format.TimestampType)
	_, date := meaning.(*format.DateType)
	switch {
	case isText(leaf) && meaning != nil: // other bytes may be a picture
		return func(v parquet.Value) (json.RawMessage, error) {
			s, err := textOf(v)
			return quote(s), err
		}
	case isInteger(leaf) && integer != nil && !integer.IsSigned:
		return func(v parquet.Value) (json.RawMessage, error) {
			if kind == parquet.Int32 {
				return strconv.AppendUint(nil, uint64(v.Uint32()), 10), nil
			}
			return strconv.AppendUint(nil, v.Uint64(), 10), nil
		}
	case kind == parquet.Boolean, isInteger(leaf):
		return func(v parquet.Value) (json.RawMessage, error) { return json.RawMessage(v.String()), nil }
	case kind == parquet.Float:
		return func(v parquet.Value) (json.RawMessage, error) { return jsonNumber(float64(v.Float()), 32) }
	case kind == parquet.Double:
		return func(v parquet.Value) (json.RawMessage, error) { return jsonNumber(v.Double(), 64) }
	case date && kind == parquet.Int32:
		return func(v parquet.Value) (json.RawMessage, error) {
			return quote(time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly)), nil
		}
	case stamp != nil && kind == parquet.Int64:
		return func(v parquet.Value) (json.RawMessage, error) { return quote(timeOf(stamp, v.Int64())), nil }
	}
	return nil
}

// jsonNumber formats a number; NaN and infinities, which JSON lacks, become strings.
func jsonNumber(x float64, bits int) (json.RawMessage, error) {
	raw := strconv.AppendFloat(nil, x, 'g', -1, bits)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return quote(string(raw)), nil
	}
	return raw, nil
}

func timeOf(stamp *format.TimestampType, n int64) string {
	var t time.Time
	switch stamp.Unit.Value.(type) {
	case *format.MilliSeconds:
		t = time.UnixMilli(n)
	case *format.MicroSeconds:
		t = time.UnixMicro(n)
	default:
		t = time.Unix(0, n)
	}
	if stamp.IsAdjustedToUTC {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999999")
}
