package milvus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/engine/remote"
)

// maxResults is the maximum number of entities in the results of a search, or in a page.
const maxResults = 16_384

const maxPage = 1000

type table struct {
	*client
	name    string
	key     string // the field that identifies an entity
	numeric bool   // keys are numbers
}

func (t *table) isKey(key string) bool {
	if !t.numeric {
		return utf8.ValidString(key)
	}
	n, err := strconv.ParseInt(key, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == key
}

func (t *table) literal(key string) string {
	if t.numeric {
		return key
	}
	return quote(key)
}

func (t *table) anyOf(keys []string) string {
	literals := make([]string, len(keys))
	for i, k := range keys {
		literals[i] = t.literal(k)
	}
	return t.key + " in [" + strings.Join(literals, ",") + "]"
}

func pair(key, value string) *wire.KeyValuePair { return &wire.KeyValuePair{Key: key, Value: value} }

func (t *table) query(ctx context.Context, expr string, fields []string, params ...*wire.KeyValuePair) (*rows, error) {
	answer := new(wire.QueryResults)
	err := t.Ask(ctx, "Query", &wire.QueryRequest{
		DbName: t.database, CollectionName: t.name, Expr: expr, OutputFields: fields,
		QueryParams: params, UseDefaultConsistency: true,
	}, answer)
	if err != nil {
		return nil, err
	}
	return readRows(answer.GetFieldsData(), t.key)
}

func (t *table) count(ctx context.Context, expr string) (int, error) {
	const count = "count(*)"
	answer := new(wire.QueryResults)
	err := t.Ask(ctx, "Query", &wire.QueryRequest{
		DbName: t.database, CollectionName: t.name, Expr: expr, OutputFields: []string{count}, UseDefaultConsistency: true,
	}, answer)
	if err != nil {
		return 0, err
	}
	for _, f := range answer.GetFieldsData() {
		if data := f.GetScalars().GetLongData().GetData(); len(data) == 1 {
			return int(data[0]), nil
		}
	}
	return 0, fmt.Errorf("the number of entities does not come: %w", errGarbage)
}

// errEnough ends pages without an error.
var errEnough = errors.New("no more is wanted")

// pages reads the entities that pass an expression, in the order of their keys, after a key and up
// to page at once, until there are no more or f returns errEnough.
func (t *table) pages(ctx context.Context, expr, after string, page int, fields []string, f func(*rows) error) error {
	for page = max(1, min(page, maxResults)); ; {
		where := expr
		if after != "" {
			if where = t.key + " > " + t.literal(after); expr != "" {
				where += " and (" + expr + ")"
			}
		}
		// Without these two the order is any.
		r, err := t.query(ctx, where, fields, pair("limit", strconv.Itoa(page)), pair("iterator", "True"), pair("reduce_stop_for_best", "True"))
		if errors.Is(err, remote.ErrLarge) && page > 1 {
			page /= 2
			continue
		}
		if err != nil {
			return err
		}
		for _, k := range r.keys {
			if after != "" && !t.less(after, k) {
				return fmt.Errorf("entities do not come in the order of their keys: %w", errGarbage)
			}
			after = k
		}
		if err := f(r); err != nil {
			if errors.Is(err, errEnough) {
				return nil
			}
			return err
		}
		if len(r.keys) == 0 { // a page may be short before that
			return nil
		}
	}
}

func (t *table) less(a, b string) bool {
	if !t.numeric {
		return a < b
	}
	x, _ := strconv.ParseInt(a, 10, 64) // they are keys
	y, _ := strconv.ParseInt(b, 10, 64)
	return x < y
}

type target struct {
	field, metric string
	params        func(limit int) string // for the index, as JSON
}

type hit struct {
	key   string
	score float64
}

// search finds the entities nearest to an encoded vector or text, among those that pass an
// expression.
func (t *table) search(ctx context.Context, at target, kind wire.DataType, looked []byte, expr string, limit int) ([]hit, error) {
	group, err := proto.Marshal(&wire.PlaceholderGroup{Placeholders: []*wire.PlaceholderValue{{Tag: "$0", Type: kind, Values: [][]byte{looked}}}})
	if err != nil {
		return nil, err
	}
	params := "{}"
	if at.params != nil {
		params = at.params(limit)
	}
	answer := new(wire.SearchResults)
	err = t.Ask(ctx, "Search", &wire.SearchRequest{
		DbName: t.database, CollectionName: t.name, Dsl: expr, DslType: 1, PlaceholderGroup: group, Nq: 1, OutputFields: []string{t.key},
		SearchParams: []*wire.KeyValuePair{
			pair("anns_field", at.field), pair("topk", strconv.Itoa(limit)), pair("metric_type", at.metric), pair("params", params), pair("round_decimal", "-1"),
		},
		UseDefaultConsistency: true,
	}, answer)
	if err != nil {
		return nil, err
	}
	return readHits(answer.GetResults())
}

func readHits(found *wire.SearchResultData) ([]hit, error) {
	scores, ids := found.GetScores(), found.GetIds()
	hits := make([]hit, len(scores))
	for i, s := range scores {
		hits[i].score = float64(s)
		switch {
		case i < len(ids.GetIntId().GetData()):
			hits[i].key = strconv.FormatInt(ids.GetIntId().GetData()[i], 10)
		case i < len(ids.GetStrId().GetData()):
			hits[i].key = ids.GetStrId().GetData()[i]
		default:
			return nil, fmt.Errorf("entities are found without their keys: %w", errGarbage)
		}
	}
	return hits, nil
}
