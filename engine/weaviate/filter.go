package weaviate

import "github.com/nsfl-go/nsfl/engine/weaviate/wire"

func combine(op wire.Filters_Operator, parts ...*wire.Filters) *wire.Filters {
	if len(parts) == 1 && op != wire.Filters_OPERATOR_NOT {
		return parts[0]
	}
	return &wire.Filters{Operator: op, Filters: parts}
}

// anyOf lets through what has one of values. Where there are none, it has one that
// nothing has.
func anyOf(property string, values []string) *wire.Filters {
	if len(values) == 0 {
		values = []string{"none"}
	}
	return &wire.Filters{
		Operator:  wire.Filters_OPERATOR_CONTAINS_ANY,
		TestValue: &wire.Filters_ValueTextArray{ValueTextArray: &wire.TextArray{Values: values}},
		Target:    &wire.FilterTarget{Property: property},
	}
}
