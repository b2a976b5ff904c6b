package enginetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/storekit"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/query"
)

func testWords(t *testing.T, m Maker) {
	for _, test := range []struct {
		name     string
		attached bool // it can be asked of a store that something else has filled
		run      func(*testing.T, Maker, *lexicalStore)
	}{
		{"shares", true, testShares},
		{"rare", true, testRare},
		{"filter", true, testWordsFilter},
		{"phrases", true, testPhrases},
		{"changes", false, testWordsChange},
		{"statistics", true, testStatistics},
		{"reopened", false, testWordsReopened},
		{"nothing", false, testNoWords},
	} {
		if !m.written() && !test.attached {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			p := &lexicalStore{places: m.textCorpus(400)}
			if test.name == "nothing" {
				p.places = nil
			}
			p.Store = m.stored(t, p.places)
			store := engine.CapabilitiesOf(p.Store).Lexical
			if store == nil {
				t.Logf("%T keeps no words", p.Store)
				t.SkipNow()
			}
			p.LexicalStore = store
			p.know(p.places)
			test.run(t, m, p)
		})
	}
}

// lexicalStore is a store with the documents that are in it, by their ids.
type lexicalStore struct {
	Store
	engine.LexicalStore
	docs   map[string]engine.Document
	places []engine.Document // in the order in which they were stored at first
}

func (s *lexicalStore) store(t *testing.T, docs []engine.Document) {
	t.Helper()
	upsert(t, s.Store, docs)
	s.know(docs)
}

func (s *lexicalStore) know(docs []engine.Document) {
	if s.docs == nil {
		s.docs = map[string]engine.Document{}
	}
	for _, d := range docs {
		s.docs[d.ID] = d
	}
}

// textCorpus returns n documents whose texts have words in common, with passages, titles and
// denials, and some without any. Of those with rare words there is one each.
func (m Maker) textCorpus(n int) []engine.Document {
	docs := m.corpus(n)
	things := []string{"dog", "cat", "bicycle", "old house", "red car", "river"}
	for i := range docs {
		d := &docs[i]
		thing, other := things[i%len(things)], things[(i/7)%len(things)]
		d.Title, d.Text = "", fmt.Sprintf("A %s in the street, beside the %s. There is no %s.", thing, other, things[(i+3)%len(things)])
		for j := range d.Passages {
			d.Passages[j].Text = fmt.Sprintf("Part %d has the %s.", j, things[(i+j)%len(things)])
		}
		switch {
		case i%11 == 5:
			d.Title, d.Text, d.Passages = "", "", nil
		case i%2 == 0:
			d.Title = "About the " + thing
		}
	}
	docs[rareDocument].Text = "A man with a trombone, near the old house."
	docs[rareDocument+1].Text = "An axolotl in the river." // which is several pieces
	if last := &docs[rareDocument+2]; len(last.Passages) > 0 {
		last.Passages[1].Text = "Here two lighthouses are seen."
	} else {
		last.Text = "Here two lighthouses are seen."
	}
	return docs
}

// rareDocument is the place of the first document with a rare word; the third of them has
// passages.
const rareDocument = 175

// rare are words that one document has, by their documents' places.
var rare = map[string]int{"trombone": rareDocument, "axolotl": rareDocument + 1, "lighthouse": rareDocument + 2}

func (s *lexicalStore) query(t *testing.T, atoms ...string) *words.Query {
	t.Helper()
	return words.NewQuery(atoms, must(s.Statistics(context.Background()))(t))
}

func byAtom(atom, k int) engine.TopK {
	return engine.TopK{K: k, By: func(out []float32, shares [][]float32) { copy(out, shares[atom]) }}
}

// check compares scores with the definition and returns the ids.
func (s *lexicalStore) check(t *testing.T, q *words.Query, refs []engine.Ref, atoms [][]float32) []string {
	t.Helper()
	read := must(s.Documents(context.Background(), refs, engine.NoParts))(t)
	if len(atoms) != q.Atoms() {
		t.Fatalf("%d columns, want %d", len(atoms), q.Atoms())
	}
	reader, line := q.NewReader(), make([]float32, q.Atoms())
	var ids []string
	for i := range refs {
		clear(line)
		if d, ok := s.docs[read[i].ID]; ok {
			reader.Read(line, words.Pieces(d.Segments()))
		}
		for a, want := range line {
			if got := atoms[a][i]; got != want {
				t.Errorf("document %q has %g of atom %d, want %g", read[i].ID, got, a, want)
			}
		}
		ids = append(ids, read[i].ID)
	}
	return ids
}

func (s *lexicalStore) matches(t *testing.T, q *words.Query, filter query.Node, wanted ...engine.TopK) []string {
	t.Helper()
	found := must(s.MatchTerms(context.Background(), q, filter, wanted))(t)
	if len(found.Degraded) > 0 {
		t.Errorf("%q", found.Degraded)
	}
	ids := s.check(t, q, found.Refs, found.Atoms)
	slices.Sort(ids)
	if len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("documents are found twice: %q", ids)
	}
	return ids
}

// testShares checks the word matches of documents against their pieces, in the order of refs.
func testShares(t *testing.T, _ Maker, s *lexicalStore) {
	ctx := context.Background()
	q := s.query(t, "a red car", "dog", "", "no cat", "axolotl or lighthouse", "doghouse")
	byID := refsOf(t, s.Store, len(s.docs))
	refs := []engine.Ref{{Number: 1 << 50, Key: "none"}}
	for id := range s.docs {
		refs = append(refs, byID[id])
	}
	refs = append(refs, refs[1]) // twice
	atoms := must(s.TermScores(ctx, q, refs))(t)
	s.check(t, q, refs, atoms)
	if atoms, err := s.TermScores(ctx, q, nil); err != nil || len(atoms) != q.Atoms() || len(atoms[0]) != 0 {
		t.Errorf("of no documents: %v, %v", atoms, err)
	}
}

// A word that one document has leads to it, whatever else the formula wants.
func testRare(t *testing.T, m Maker, s *lexicalStore) {
	for word, place := range rare {
		q := s.query(t, "the street", word)
		got := s.matches(t, q, nil, byAtom(0, 20), byAtom(1, 3))
		if m.Unsearched {
			if len(got) != 0 {
				t.Errorf("%s: %q are found by an engine that finds nothing by words", word, got)
			}
			continue
		}
		if want := s.places[place].ID; !slices.Contains(got, want) || len(got) > 23 {
			t.Errorf("%s: %q are found, want %s among up to 23", word, got, want)
		}
	}
}

func testWordsFilter(t *testing.T, m Maker, s *lexicalStore) {
	q := s.query(t, "trombone", "dog")
	for _, c := range []struct {
		filter string
		there  bool
	}{
		{fmt.Sprint("n:", rareDocument), true},
		{fmt.Sprint("NOT n:", rareDocument), false},
		{fmt.Sprintf("n:>=%d AND n:<%d", rareDocument, rareDocument+20), true},
		{"even:true", rareDocument%2 == 0},
		{"n:<0", false},
	} {
		filter := filterOf(t, c.filter)
		got := s.matches(t, q, filter, byAtom(0, 10), byAtom(1, 10))
		if slices.Contains(got, s.places[rareDocument].ID) != (c.there && !m.Unsearched) {
			t.Errorf("%s: %q are found, want id-%d: %t", c.filter, got, rareDocument, c.there)
		}
		for _, id := range got {
			if !s.holds(t, id, filter) {
				t.Errorf("found %s, which does not pass %s", id, filter)
			}
		}
	}
	_, err := s.MatchTerms(context.Background(), q, &query.And{}, nil)
	refused(t, "AND of nothing", err)
}

// testPhrases checks that a text filter passes exactly the documents that contain the phrase,
// or that a store without support rejects it.
func testPhrases(t *testing.T, _ Maker, s *lexicalStore) {
	ctx, v := context.Background(), [][]float32{vectorOf("anything")}
	for _, text := range []string{"text:trombone", "text:lighthouse", `text:"red car"`, "text:sarcophagus", `NOT text:dog`, `text:axolotl OR text:"old house" AND n:<100`,
		"trombon*", "hou?e* NEAR/4 (red OR old)", "text:(car PRE/3 dog) OR lighthous*", "NOT dog NEAR/3 car", "title:id OR title:title", "abstract:dog AND NOT title:dog", "n:(7)", "even:(tru* OR x) AND text:car"} {
		filter := filterOf(t, text)
		found, err := s.Pool(ctx, v, len(s.docs), filter, v)
		var input *engine.InputError
		if errors.As(err, &input) {
			t.Logf("%T cannot tell what texts say: %v", s.Store, err)
			if _, _, err := s.List(ctx, engine.Page{Limit: 3, Filter: filter}); !errors.As(err, &input) {
				t.Errorf("%s is refused in pools and not in lists: %v", text, err)
			}
			continue
		}
		check(t, err)
		got, listed := map[string]bool{}, map[string]bool{}
		read := must(s.Documents(ctx, found.Refs, engine.NoParts))(t)
		for _, d := range read {
			got[d.ID] = true
		}
		for d, err := range engine.All(ctx, s.Store, engine.Page{Limit: 100, Filter: filter}) {
			check(t, err)
			listed[d.ID] = true
		}
		if !maps.Equal(got, listed) {
			t.Errorf("%s: %d documents are listed, want the %d found", text, len(listed), len(got))
		}
		for _, id := range s.matches(t, s.query(t, "dog"), filter, byAtom(0, 20)) {
			if !s.holds(t, id, filter) {
				t.Errorf("%s: %s is found by words, and does not pass", text, id)
			}
		}
		for id := range s.docs {
			if want := s.holds(t, id, filter); got[id] != want {
				t.Errorf("%s: %s passes: %t, want %t", text, id, got[id], want)
			}
		}
	}
}

func (s *lexicalStore) holds(t *testing.T, id string, filter query.Node) bool {
	t.Helper()
	d := s.docs[id]
	return query.Holds(filter, func(leaf query.Node) bool {
		p := leaf.(*query.Predicate)
		if !p.OnText() {
			return passes(t, &d, p)
		}
		pattern := must(storekit.PatternOf(p))(t)
		return slices.ContainsFunc(storekit.TextsOf(p, &d, valuesOf(t, &d)), func(texts []string) bool { return pattern.In(words.Pieces(texts)) })
	})
}

// testWordsChange checks that a replaced document has the words of its new version, and a
// deleted one has none.
func testWordsChange(t *testing.T, m Maker, s *lexicalStore) {
	ctx := context.Background()
	find := func(id string) engine.Ref { return must(s.Find(ctx, id))(t) }
	trombone, axolotl := fmt.Sprint("id-", rare["trombone"]), fmt.Sprint("id-", rare["axolotl"])
	gone := find(axolotl)
	changed := s.docs[trombone]
	changed.Text, changed.Passages = "A harpsichord.", nil
	s.store(t, []engine.Document{changed})
	must(s.Delete(ctx, []string{axolotl}))(t)
	delete(s.docs, axolotl)
	q := s.query(t, "trombone", "axolotl", "harpsichord")
	refs := []engine.Ref{gone, find(trombone)}
	atoms := must(s.TermScores(ctx, q, refs))(t)
	s.check(t, q, refs, atoms)
	if atoms[1][0] != 0 || atoms[0][1] == 1 || atoms[2][1] != 1 {
		t.Errorf("%v", atoms)
	}
	found := must(s.MatchTerms(ctx, q, nil, []engine.TopK{byAtom(0, 5), byAtom(1, 5), byAtom(2, 5)}))(t)
	ids := s.check(t, q, found.Refs, found.Atoms)
	if slices.Contains(ids, axolotl) || slices.Contains(ids, trombone) == m.Unsearched {
		t.Errorf("%q are found", ids)
	}
	for i, id := range ids {
		if id != trombone && found.Atoms[2][i] == 1 {
			t.Errorf("%s has the word that another one has", id)
		}
	}
}

// A rare word weighs more than a common one, and one that is nowhere not less.
func testStatistics(t *testing.T, _ Maker, s *lexicalStore) {
	weight := func(word string) float64 {
		t.Helper()
		needles := s.query(t, word).Needles()
		if len(needles) != 1 {
			t.Fatalf("%q has %d words", word, len(needles))
		}
		return needles[0].Weight
	}
	if never, rare, some, common := weight("sarcophagus"), weight("trombone"), weight("bicycle"), weight("the"); !(never >= rare && rare > some && some > common) {
		t.Errorf("a word weighs %g, %g, %g, %g, the more common the less", never, rare, some, common)
	}
}

func testWordsReopened(t *testing.T, m Maker, s *lexicalStore) {
	again := m.reopened(t, s.Store)
	s.Store, s.LexicalStore = again, engine.CapabilitiesOf(again).Lexical
	q := s.query(t, "trombone", "the old house")
	if got := s.matches(t, q, nil, byAtom(0, 3)); !slices.Contains(got, s.places[rareDocument].ID) && !m.Unsearched {
		t.Errorf("got %q, want %s among them", got, s.places[rareDocument].ID)
	}
}

// A store without documents has no words, and documents without texts have none.
func testNoWords(t *testing.T, _ Maker, s *lexicalStore) {
	q := s.query(t, "dog", "")
	if got := s.matches(t, q, nil, byAtom(0, 3)); len(got) != 0 {
		t.Errorf("%q are found in an empty store", got)
	}
	s.store(t, []engine.Document{{ID: "a", Vector: vectorOf("a")}, {ID: "b", Vector: vectorOf("b"), Text: " ?! "}})
	for _, atoms := range [][]string{{"dog", ""}, {"", "?"}} {
		q = s.query(t, atoms...)
		if got := s.matches(t, q, nil, byAtom(0, 3), byAtom(1, 3)); len(got) != 0 {
			t.Errorf("%q are found without words", got)
		}
	}
}
