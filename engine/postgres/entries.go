package postgres

import (
	"fmt"

	"github.com/nsfl-go/nsfl/index"
)

// valuesOf reads metadata as package index does, and refuses what PostgreSQL cannot
// store.
func valuesOf(metadata []byte) ([]index.Value, error) {
	values, err := index.Values(metadata)
	for _, v := range values {
		if !storable(v.Field) || !storable(v.Text) {
			return nil, fmt.Errorf("the field %q has a zero byte, which PostgreSQL cannot store", v.Field)
		}
	}
	return values, err
}
