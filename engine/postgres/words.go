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

// lexical finds documents by their words and reads the words in one statement.
type lexical struct{ *Store }

const piecesOf = `SELECT ref, pieces FROM {c}.words WHERE ref = ANY($1)`

// Statistics are of a sample.
func (s lexical) Statistics(ctx context.Context) (*words.Statistics, error) {
	const doing = "counting words"
	refs, err := s.Sample(ctx, remote.SampleSize)
	if err != nil {
		return nil, err
	}
	h, err := s.readPieces(ctx, doing, piecesOf, numbers(refs))
	if err != nil {
		return nil, err
	}
	return h.Statistics(), nil
}

// TermScores reads the pieces of some documents.
func (s lexical) TermScores(ctx context.Context, q *words.Query, refs []engine.Ref) ([][]float32, error) {
	h, err := s.readPieces(ctx, "reading words", piecesOf, numbers(refs))
	if err != nil {
		return nil, err
	}
	return h.ScoresOf(q, refs), nil
}

// MatchTerms reads the pieces of those documents that have words of the query, the heaviest
// first, some thousand at most.
func (s lexical) MatchTerms(ctx context.Context, q *words.Query, filter query.Node, wanted []engine.TopK) (*engine.TermMatches, error) {
	const doing = "looking for words"
	err := remote.CheckFilter(filter)
	if err == nil {
		err = comparable(filter)
	}
	if err != nil {
		return nil, s.calls.Explain(doing, err)
	}
	err = s.read(ctx, doing, func(ctx context.Context) error {
		filter, err = s.Resolved(ctx, filter)
		return err
	})
	if err != nil {
		return nil, err
	}
	var text string
	var args arguments
	if wanted == nil {
		text = "SELECT w.ref, w.pieces FROM {c}.words w WHERE " + condition(filter, "w.ref", &args)
	} else {
		text = having(q.Needles(), filter, remote.MatchLimit(wanted), &args)
	}
	h, err := s.readPieces(ctx, doing, text, args...)
	if err != nil {
		return nil, err
	}
	if wanted == nil {
		return h.Matches(q, nil), nil
	}
	return h.Found(q, wanted, remote.MatchLimit(wanted)), nil
}

// having is the statement for the documents that have words, those with the greatest sum
// of their weights first. Each word is a list of its own, which the index gives without the
// rest of the documents.
func having(needles []words.Needle, filter query.Node, limit int, args *arguments) string {
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
	if len(lists) == 0 {
		return "SELECT ref, pieces FROM {c}.words WHERE false"
	}
	return fmt.Sprintf(`WITH best AS MATERIALIZED (SELECT h.ref FROM (%s) h WHERE %s GROUP BY h.ref ORDER BY sum(h.weight) DESC, h.ref LIMIT %s)
		SELECT w.ref, w.pieces FROM best JOIN {c}.words w USING (ref)`,
		strings.Join(lists, " UNION ALL "), condition(filter, "h.ref", args), args.add(limit))
}

// readPieces reads the pieces of the documents that a statement gives.
func (s lexical) readPieces(ctx context.Context, doing, text string, args ...any) (h *remote.PieceTable, err error) {
	err = s.read(ctx, doing, func(ctx context.Context) error {
		h = &remote.PieceTable{}
		var ref int64
		var stored []byte
		return s.each(ctx, s.statement(text), args, map[string]string{"jit": "off"}, []any{&ref, &stored}, func() error {
			pieces, err := remote.UnpackPieces(stored)
			if err == nil {
				h.Add(refOf(ref), pieces)
			}
			return err
		})
	})
	return h, err
}

// wordColumns are the columns of the table of words, in the order of wordsRow.
var wordColumns = []string{"ref", "pieces", "has"}

func wordsRow(ref int64, pieces []uint16) []any {
	return []any{ref, remote.PackPieces(pieces), distinct(pieces)}
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
