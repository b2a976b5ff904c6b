package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
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
		{engine.Vectors, func() { filled.Vector, _ = storekit.UnitOf(want.Vector, len(want.Vector)) }},
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

// However long documents are, not much more of them is read at once than a portion, and
// all come in the end, each in its place.
func testPortions(t *testing.T, m Maker) {
	docs := m.corpus(40)
	for i := range docs {
		if docs[i].Passages = nil; i%8 != 3 {
			docs[i].Text = strings.Repeat(fmt.Sprint(i%10), 1<<20)
		}
	}
	ctx, s := context.Background(), m.stored(t, docs)
	for _, filter := range []string{"", "n:>=0"} {
		all := listed(t, s, filterOf(t, filter), len(docs), nil)
		if got, want := len(times(all)), len(passing(t, docs, filterOf(t, filter))); got != want {
			t.Errorf("filter %q: listed %d documents, want %d", filter, got, want)
		}
	}
	for _, bytes := range []int{1, 3 << 20} {
		page, _, err := s.List(ctx, engine.Page{Limit: len(docs), Bytes: bytes, Parts: engine.AllParts})
		if err != nil || len(page) == 0 || len(page) > 16 {
			t.Errorf("a page of %d bytes has %d documents, %v", bytes, len(page), err)
		}
	}
	var refs []engine.Ref
	for i := range docs {
		ref := must(s.Find(ctx, docs[i].ID))(t)
		refs = append(refs, ref, engine.Ref{Number: 1 << 30, Key: "none"})
	}
	read := must(s.Documents(ctx, refs, engine.AllParts))(t)
	bounded(t, read)
	at := 0
	err := engine.Visit(ctx, s, refs, engine.Titles|engine.Texts|engine.Metadata|engine.Vectors, func(i int, d *engine.Document) {
		switch {
		case i != at:
			t.Errorf("document %d comes at %d", i, at)
		case i%2 == 0:
			same(t, d, &docs[i/2])
		case d.ID != "":
			t.Errorf("%q is nowhere", d.ID)
		}
		at++
	})
	if err != nil || at != len(refs) {
		t.Errorf("%d of %d documents are visited, %v", at, len(refs), err)
	}
}

// bounded checks that documents are a portion, and as many more as a store on a server
// may ask for before it knows how long they are.
func bounded(t *testing.T, docs []engine.Document) {
	t.Helper()
	const ahead = 16
	var portion storekit.ReadBudget
	for i := range docs {
		if portion.Add(docs[i]) && i+ahead < len(docs) {
			t.Fatalf("%d documents are read at once, and %d of them are a portion", len(docs), i+1)
		}
	}
}
