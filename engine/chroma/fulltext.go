package chroma

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/remote"
	"github.com/nsfl-go/nsfl/internal/words"
)

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
	for _, n := range needles[:min(len(needles), remote.MaxWords)] {
		each = append(each, map[string]any{"$regex": pattern(n.Written)})
	}
	if len(each) > 1 {
		each = append(each, map[string]any{"$and": slices.Clone(each)})
	}
	return remote.ByRarity(ctx, size.Documents, n, each, func(ctx context.Context, document map[string]any) ([]engine.Ref, error) {
		request := map[string]any{"where_document": document, "limit": n}
		d.narrow(request, where)
		a, err := d.get(ctx, request)
		if err != nil {
			return nil, err
		}
		return refsOf(a.IDs), nil
	})
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
