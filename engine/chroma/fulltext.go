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
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// maxWords is the number of words that are searched for, with one request each.
const maxWords = 8

// Matching finds records by regular expressions over their documents. Chroma does not rank
// them: those with words that few have come first. Of a word that more than n have, those
// come that were stored first.
func (d *driver) Matching(ctx context.Context, needles []words.Needle, n int, where remote.Where) ([]engine.Ref, error) {
	if d.roles.Text != theDocument {
		return nil, ctx.Err()
	}
	size, err := d.calls.Size.Get(ctx, d.Size)
	if err != nil {
		return nil, err
	}
	var each []map[string]any
	for _, n := range needles[:min(len(needles), maxWords)] {
		each = append(each, map[string]any{"$regex": pattern(n.Written)})
	}
	if len(each) > 1 {
		each = append(each, map[string]any{"$and": slices.Clone(each)})
	}
	found := make([][]string, len(each))
	err = workers.Each(ctx, len(each), remote.Parallelism, func(ctx context.Context, i int) error {
		request := map[string]any{"where_document": each[i], "limit": n}
		d.narrow(request, where)
		a, err := d.get(ctx, request)
		if err == nil {
			found[i] = a.IDs
		}
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
	return refsOf(best[:min(n, len(best))]), err
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
