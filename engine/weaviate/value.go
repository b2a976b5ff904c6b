package weaviate

import (
	"encoding/binary"
	"math"

	"github.com/nsfl-go/nsfl/engine/weaviate/wire"
)

func valueOf(v *wire.Value) any {
	switch x := v.GetKind().(type) {
	case *wire.Value_TextValue:
		return x.TextValue
	case *wire.Value_IntValue:
		return x.IntValue
	case *wire.Value_NumberValue:
		return number(x.NumberValue)
	case *wire.Value_BoolValue:
		return x.BoolValue
	case *wire.Value_DateValue:
		return x.DateValue
	case *wire.Value_UuidValue:
		return x.UuidValue
	case *wire.Value_ObjectValue:
		return objectOf(x.ObjectValue)
	case *wire.Value_ListValue:
		return listOf(x.ListValue)
	case *wire.Value_GeoValue:
		return map[string]any{"latitude": x.GeoValue.GetLatitude(), "longitude": x.GeoValue.GetLongitude()}
	case *wire.Value_PhoneValue:
		return map[string]any{"input": x.PhoneValue.GetInput(), "internationalFormatted": x.PhoneValue.GetInternationalFormatted()}
	}
	return nil
}

// number returns nil for numbers that JSON does not have.
func number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

func objectOf(p *wire.Properties) map[string]any {
	out := map[string]any{}
	for name, v := range p.GetFields() {
		if x := valueOf(v); x != nil {
			out[name] = x
		}
	}
	return out
}

func listOf(l *wire.ListValue) []any {
	out := []any{}
	switch x := l.GetKind().(type) {
	case *wire.ListValue_TextValues:
		out = stringsOf(x.TextValues)
	case *wire.ListValue_DateValues:
		out = stringsOf(x.DateValues)
	case *wire.ListValue_UuidValues:
		out = stringsOf(x.UuidValues)
	case *wire.ListValue_BoolValues:
		for _, b := range x.BoolValues.GetValues() {
			out = append(out, b)
		}
	case *wire.ListValue_ObjectValues:
		for _, o := range x.ObjectValues.GetValues() {
			out = append(out, objectOf(o))
		}
	case *wire.ListValue_NumberValues:
		for b := x.NumberValues.GetValues(); len(b) >= 8; b = b[8:] {
			out = append(out, number(math.Float64frombits(binary.LittleEndian.Uint64(b))))
		}
	case *wire.ListValue_IntValues:
		for b := x.IntValues.GetValues(); len(b) >= 8; b = b[8:] {
			out = append(out, int64(binary.LittleEndian.Uint64(b)))
		}
	}
	return out
}

func stringsOf(t *wire.TextValues) (out []any) {
	for _, s := range t.GetValues() {
		out = append(out, s)
	}
	return out
}
