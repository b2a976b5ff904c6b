package enginetest

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// testParts checks that the requested parts of documents are complete. Additional parts are
// allowed.
func testParts(t *testing.T, m Maker) {
	docs := m.corpus(9)
	docs[2].Metadata = nil
	ctx, s := context.Background(), m.stored(t, docs)
	byID := refsOf(t, s, len(docs))
	refs := make([]engine.Ref, len(docs))
	for i := range docs {
		refs[i] = byID[docs[i].ID]
	}
	for parts := engine.NoParts; parts <= engine.AllParts; parts++ {
		read := must(s.Documents(ctx, refs, parts))(t)
		one := must(s.Get(ctx, docs[3].ID, parts))(t)
		list, _, err := s.List(ctx, engine.Page{Limit: len(docs), Parts: parts, Filter: filterOf(t, "n:6")})
		if err != nil || len(list) != 1 {
			t.Fatalf("%d documents are listed, %v", len(list), err)
		}
		for i := range read {
			samePart(t, parts, &read[i], &docs[i])
		}
		samePart(t, parts, &one, &docs[3])
		samePart(t, parts, &list[0], &docs[6])
	}
}

// samePart checks that a document has the wanted parts of another.
func samePart(t *testing.T, parts engine.Parts, got, want *engine.Document) {
	t.Helper()
	filled := *got
	filled.Passages = nil
	for _, p := range []struct {
		part engine.Parts
		copy func()
	}{
		{engine.Titles, func() { filled.Title = want.Title }},
		{engine.Texts, func() { filled.Text = want.Text }},
		{engine.Metadata, func() { filled.Metadata = want.Metadata }},
		{engine.Vectors, func() { filled.Vector, _ = engine.UnitOf(want.Vector, len(want.Vector)) }},
	} {
		if !parts.Has(p.part) {
			p.copy() // as if it had been asked for
		}
	}
	for i, passage := range want.Passages {
		if len(want.Passages) == 1 {
			passage.Vector = nil
		}
		if parts.Has(engine.Texts | engine.PassageVectors) {
			if i >= len(got.Passages) {
				t.Fatalf("%s, parts %b: %d passages, want %d", want.ID, parts, len(got.Passages), len(want.Passages))
			}
			if parts.Has(engine.Texts) {
				passage.Text, passage.Place = got.Passages[i].Text, got.Passages[i].Place
			}
			if parts.Has(engine.PassageVectors) {
				passage.Vector = got.Passages[i].Vector
			}
		}
		filled.Passages = append(filled.Passages, passage)
	}
	same(t, &filled, want)
}
