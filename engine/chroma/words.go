package chroma

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/pooling"
	"github.com/nsfl-go/nsfl/internal/workers"
	"github.com/nsfl-go/nsfl/query"
)

// maxWords is how many words are looked for, each of which is a request.
const maxWords = 8

// search names documents that have some of the words, by Chroma's regular expressions over
// documents. Chroma does not rank them: those with the words that few have come first. Of a
// word that more than n have, those are looked at that were stored first.
func (s *Store) search(ctx context.Context, wanted [][]string, filter query.Node, n int) (refs []engine.Ref, err error) {
	const doing = "looking for words"
	if err := pooling.CheckFilter(filter); err != nil {
		return nil, s.calls.Explain(doing, err)
	}
	err = s.calls.Read(ctx, doing, func(ctx context.Context) error {
		where, err := s.where(ctx, filter)
		if err != nil {
			return err
		}
		ids, err := s.saying(ctx, wanted[:min(len(wanted), maxWords)], where, n)
		if err == nil && filter != nil {
			ids, err = s.passing(ctx, ids, filter)
		}
		for _, id := range ids {
			refs = append(refs, engine.Ref{Key: id})
		}
		return err
	})
	return refs, err
}

// saying are the ids of up to n records that have some of the words.
func (s *Store) saying(ctx context.Context, wanted [][]string, where *condition, n int) ([]string, error) {
	size, err := s.calls.Size.Get(ctx, s.count)
	if err != nil {
		return nil, err
	}
	var each []map[string]any
	for _, ways := range wanted {
		each = append(each, map[string]any{"$regex": pattern(ways)})
	}
	if len(each) > 1 {
		each = append(each, map[string]any{"$and": slices.Clone(each)})
	}
	found := make([][]string, len(each))
	err = workers.Each(ctx, len(each), connections/2, func(ctx context.Context, i int) (err error) {
		request := map[string]any{"include": []string{}, "where_document": each[i], "limit": n}
		if where != nil {
			request["where"] = where.json
		}
		found[i], err = s.ids(ctx, request)
		return err
	})
	weights := map[string]float64{}
	for _, ids := range found {
		weight := math.Log1p(float64(size.Documents) / float64(1+len(ids)))
		for _, id := range ids {
			weights[id] += weight
		}
	}
	var best []string
	for id := range weights {
		best = append(best, id)
	}
	slices.SortFunc(best, func(a, b string) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
	return best[:min(n, len(best))], err
}

// passing are those of ids whose records pass a filter.
func (s *Store) passing(ctx context.Context, ids []string, filter query.Node) ([]string, error) {
	found, err := s.read(ctx, ids, engine.Metadata)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id string) bool {
		d := found[id]
		if d == nil || err != nil {
			return true
		}
		var passes bool
		passes, err = pooling.Passes(filter, d.Metadata)
		return !passes
	}), err
}

// pattern is a regular expression for a word in one of the ways to write it, in letters of
// either case.
func pattern(ways []string) string {
	var out []string
	for _, way := range ways {
		text := regexp.QuoteMeta(way)
		if first, _ := utf8.DecodeRuneInString(way); isWord(first) {
			text = `\b` + text
		}
		if last, _ := utf8.DecodeLastRuneInString(way); isWord(last) {
			text += `\b`
		}
		out = append(out, text)
	}
	return "(?i)(?:" + strings.Join(out, "|") + ")"
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
