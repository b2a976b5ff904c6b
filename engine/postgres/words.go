package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

func (d managedDriver) ReadPieces(ctx context.Context, refs []engine.Ref, visit func(engine.Ref, []uint16) error) error {
	var ref int64
	var stored []byte
	const text = `SELECT ref, pieces FROM {c}.words WHERE ref = ANY($1)`
	return d.each(ctx, d.statement(text), []any{numbers(refs)}, map[string]string{"jit": "off"}, []any{&ref, &stored}, func() error {
		pieces, err := remote.UnpackPieces(stored)
		if err != nil {
			return err
		}
		return visit(refOf(ref), pieces)
	})
}

// Matching returns the documents that have words, those with the greatest sum of their weights
// first. Each word is a list of its own, which the index gives without the rest of the
// documents.
func (d managedDriver) Matching(ctx context.Context, needles []words.Needle, limit int, where remote.Where) ([]engine.Ref, error) {
	filter, _ := where.Native.(query.Node)
	var args arguments
	lists := make([]string, len(needles))
	for i, n := range needles {
		var single []uint16
		var conditions []string
		for _, form := range n.Forms {
			if len(form) == 1 {
				single = append(single, form[0])
				continue
			}
			conditions = append(conditions, fmt.Sprintf("has @> %s::smallint[]", args.add(distinct(form))))
		}
		if len(single) > 0 {
			conditions = append(conditions, fmt.Sprintf("has && %s::smallint[]", args.add(distinct(single))))
		}
		lists[i] = fmt.Sprintf("SELECT ref, %s::float8 AS weight FROM {c}.words WHERE %s", args.add(n.Weight), strings.Join(conditions, " OR "))
	}
	text := fmt.Sprintf("SELECT h.ref FROM (%s) h WHERE %s GROUP BY h.ref ORDER BY sum(h.weight) DESC, h.ref LIMIT %s",
		strings.Join(lists, " UNION ALL "), condition(filter, "h.ref", &args), args.add(limit))
	return d.refs(ctx, d.statement(text), args)
}

// distinct are numbers as the index has them, each of them once: the server's have a sign.
func distinct(pieces []uint16) []int16 {
	out := make([]int16, len(pieces))
	for i, p := range pieces {
		out[i] = int16(p)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
