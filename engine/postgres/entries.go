package postgres

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
)

// valuesOf reads metadata as package index does, and refuses what PostgreSQL cannot
// store.
func valuesOf(metadata []byte) ([]engine.Value, error) {
	values, err := engine.Values(metadata)
	for _, v := range values {
		if !storable(v.Field) || !storable(v.Text) {
			return nil, fmt.Errorf("the field %q has a zero byte, which PostgreSQL cannot store", v.Field)
		}
	}
	return values, err
}
