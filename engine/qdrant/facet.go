package qdrant

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/predicate"
	"github.com/nsfl-go/nsfl/query"
)

// maxValues is how many values of a field are counted.
const maxValues = 10_000

// indexed are the types of values that an index has, by the type of the index.
var indexed = map[string]remote.Kinds{"keyword": remote.Texts, "uuid": remote.Texts, "integer": remote.Numbers, "bool": remote.Booleans}

// CountValues counts by the index over a field, if the index has every value: all points with
// the field are in it, and no point of a sample has a value of another type.
func (d *driver) CountValues(ctx context.Context, field string, filter query.Node, tell func(v predicate.Value, documents int)) error {
	const doing = "counting values"
	if err := remote.CheckFilter(filter); err != nil {
		return d.calls.Explain(doing, err)
	}
	return d.calls.Read(ctx, doing, func(ctx context.Context) error {
		where, fields, err := d.compile(ctx, filter)
		if err != nil {
			return err
		}
		if where.Nothing {
			return nil
		}
		path, kinds, ok := fields.find(field)
		if !ok || kinds == 0 || where.Inexact || where.Guessed {
			return errors.ErrUnsupported
		}
		var c description
		if err := d.ask(ctx, http.MethodGet, d.path, nil, &c); err != nil {
			return err
		}
		index := c.Schema[path]
		if kinds != indexed[index.Type] {
			return errors.ErrUnsupported
		}
		empty := remote.NewCondition(map[string]any{"is_empty": map[string]any{"key": path}})
		if n, err := d.count(ctx, remote.List("must_not", empty)); err != nil || n != index.Points {
			return errors.Join(err, errors.ErrUnsupported)
		}
		return d.facet(ctx, path, field, where, tell)
	})
}

func (d *driver) facet(ctx context.Context, path, field string, where remote.Where, tell func(v predicate.Value, documents int)) error {
	var answer struct {
		Hits []struct {
			Value json.RawMessage `json:"value"`
			Count int             `json:"count"`
		} `json:"hits"`
	}
	request := narrow(map[string]any{"key": path, "limit": maxValues + 1, "exact": true}, where)
	if err := d.ask(ctx, http.MethodPost, d.path+"/facet", request, &answer); err != nil {
		return err
	}
	values := make([]predicate.Value, len(answer.Hits))
	for i, h := range answer.Hits {
		values[i] = predicate.NewValue(field, remote.TextOf(h.Value))
		if values[i].IsNumber && h.Value[0] == '"' { // numbers that are written differently are equal
			return errors.ErrUnsupported
		}
	}
	if len(values) > maxValues {
		return errors.ErrUnsupported
	}
	for i, v := range values {
		tell(v, answer.Hits[i].Count)
	}
	return nil
}
