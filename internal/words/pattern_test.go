package words

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// patternOf compiles the pattern of a predicate such as text:(a NEAR/5 b).
func patternOf(tb testing.TB, text string, scope Scope) *Pattern {
	tb.Helper()
	n, err := query.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := n.(*query.Predicate).Pattern()
	if err != nil {
		tb.Fatal(err)
	}
	p, err := NewPattern(tree, scope)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func TestPattern(t *testing.T) {
	doc := Pieces([]string{"Packet filters", "Without a leash: iptables and tickets.", "The end of Crohn's thrombophlebitis in women", "Naïve tumours; double-blind"})
	for text, want := range map[string]string{
		`text:"packet filter"`: "packet filters@0", `text:"Packet-Filters"`: "packet filters@0", `text:"filter packet"`: "", `text:"filters without"`: "",
		`text:leash`: "leash@1", `text:leashes`: "leash@1", `text:"without a leash"`: "without a leash@1", `text:IPTABLES`: "iptables@1", `text:iptable`: "iptables@1", `text:ip`: "", `text:tables`: "",
		`text:ticket`: "tickets@1", `text:"the end"`: "the end@2", `text:"tickets the"`: "", `text:kerberos`: "",
		`text:throm*`: "thrombophlebitis@2", `text:thrombophlebitis*`: "thrombophlebitis@2", `text:phleb*`: "", `text:wom?n`: "women@2", `text:women?s`: "", `text:t?um?our*`: "tumours@3", `text:TUM?OR*`: "",
		`text:naïv*`: "naive@3", `text:"double-bli*"`: "double blind@3", `text:(double bli* OR ip*)`: "iptables@1 double blind@3",
		`text:(ticket NEAR/2 end)`: "tickets the end@1", `text:(ticket NEAR/1 end)`: "", `text:(filter NEAR/100 leash)`: "",
		`text:(end PRE/100 wom?n)`: "end of crohn s thrombophlebitis in women@2", `text:(women PRE/100 end)`: "", `text:(women NEAR/100 end)`: "end of crohn s thrombophlebitis in women@2",
		`text:((leash OR filter) NEAR/2 (iptables OR packet))`:     "packet filters@0 leash iptables@1",
		`text:(leash NEAR/3 (iptables NEAR/2 tickets) NEAR/4 end)`: "leash iptables and tickets the end@1",
		`text:(leash NEAR/5 leash)`:                                "",
	} {
		var got []string
		p := patternOf(t, text, Whole)
		for _, m := range p.Matches(doc, 10) {
			got = append(got, m.Text+"@"+string(rune('0'+m.Passage)))
		}
		if strings.Join(got, " ") != want || p.In(doc) != (want != "") {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for scope, want := range map[Scope]bool{Whole: true, InTitle: true, InText: false} {
		if got := patternOf(t, "text:packet", scope).In(doc); got != want {
			t.Errorf("packet in scope %d: got %t, want %t", scope, got, want)
		}
		if got := patternOf(t, "text:leash", scope).In(doc); got != (scope != InTitle) {
			t.Errorf("leash in scope %d: got %t, want %t", scope, got, scope != InTitle)
		}
	}
	for _, text := range []string{" - ", "\U0001F600", "ab\U0001F600c*"} {
		if p, err := NewPattern(&query.Pattern{Words: text}, Whole); err == nil {
			t.Errorf("%q is a pattern: %v", text, p)
		}
	}
}

// Words of which the naive scan and the pattern must think the same; several have many pieces.
var scanned = []string{"heart", "hearts", "attack", "attacks", "thrombosis", "thrombolysis", "thrombus", "women", "woman", "colour", "color", "colours", "a", "the", "study", "studies", "axolotl", "x", "x86", "covid19"}

var scannedTerms = append([]string{"thromb*", "thrombo*", "wom?n", "colo?r", "colo?r*", "hea*", "at*k", "stud*", "axo*tl", "cov*"}, scanned...)

func randomPattern(r *rand.Rand, depth int) *query.Pattern {
	if depth == 0 || r.IntN(4) == 0 {
		words := []string{scannedTerms[r.IntN(len(scannedTerms))]}
		for r.IntN(3) == 0 {
			words = append(words, scannedTerms[r.IntN(len(scannedTerms))])
		}
		return &query.Pattern{Words: strings.Join(words, " ")}
	}
	a, b := randomPattern(r, depth-1), randomPattern(r, depth-1)
	if r.IntN(3) == 0 {
		return query.AnyPattern(a, b)
	}
	return &query.Pattern{Parts: []*query.Pattern{a, b}, Within: 1 + r.IntN(6), Ordered: r.IntN(2) == 0}
}

// scannedWord is a word of a document with the number of its segment.
type scannedWord struct {
	text    string
	segment int
}

// scan returns all matches of a pattern by trying all places, without any index.
func scan(p *query.Pattern, doc []scannedWord) (out []span) {
	switch {
	case p.Words != "":
		terms := strings.Fields(p.Words)
		for at := 0; at+len(terms) <= len(doc); at++ {
			matches := doc[at].segment == doc[at+len(terms)-1].segment
			for i, t := range terms {
				matches = matches && scanWord(t, doc[at+i].text)
			}
			if matches {
				out = append(out, span{at, at + len(terms)})
			}
		}
	case p.Within == 0:
		for _, part := range p.Parts {
			out = append(out, scan(part, doc)...)
		}
	default:
		for _, a := range scan(p.Parts[0], doc) {
			for _, b := range scan(p.Parts[1], doc) {
				// Words between the two are fewer than the distance, and all on one side of the title's end.
				near := func(a, b span) bool {
					return a.to <= b.from && b.from-a.to < p.Within && (doc[a.from].segment == 0) == (doc[b.to-1].segment == 0)
				}
				if near(a, b) || !p.Ordered && near(b, a) {
					out = append(out, span{min(a.from, b.from), max(a.to, b.to)})
				}
			}
		}
	}
	slices.SortFunc(out, span.compare)
	return slices.Compact(out)
}

// scanWord compares letter by letter.
func scanWord(pattern, word string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return Stem(pattern) == Stem(word)
	}
	var at func(p, w string) bool
	at = func(p, w string) bool {
		switch {
		case p == "":
			return w == ""
		case p[0] == '*':
			return at(p[1:], w) || w != "" && at(p, w[1:])
		case p[0] == '?':
			return at(p[1:], w) || w != "" && at(p[1:], w[1:])
		}
		return w != "" && p[0] == w[0] && at(p[1:], w[1:])
	}
	return at(pattern, word)
}

// TestPatternsEqualNaiveScan compares patterns with a naive scan on random texts.
func TestPatternsEqualNaiveScan(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	matched := 0
	for n := range 2500 {
		var segments []string
		var doc []scannedWord
		for s := range 1 + r.IntN(4) {
			var texts []string
			for range r.IntN(15) {
				w := scanned[r.IntN(len(scanned))]
				doc = append(doc, scannedWord{w, s})
				if r.IntN(6) == 0 {
					w = strings.ToUpper(w) + ","
				}
				texts = append(texts, w)
			}
			segments = append(segments, strings.Join(texts, " "))
		}
		tree := randomPattern(r, 3)
		p, err := NewPattern(tree, Whole)
		if err != nil {
			t.Fatal(err)
		}
		pieces := Pieces(segments)
		want := scan(tree, doc)
		got := p.find(p.read(pieces, nil), 1<<30)
		for i, s := range got { // without the distance between title and text
			if s.from >= apart {
				got[i] = span{s.from - apart, s.to - apart}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("text %d: %s in %q: got %v, want %v", n, tree, segments, got, want)
		}
		if p.In(pieces) != (len(want) > 0) {
			t.Fatalf("text %d: %s in %q: got %t, want %t", n, tree, segments, p.In(pieces), len(want) > 0)
		}
		if len(want) > 0 {
			matched++
		}
	}
	if matched < 400 || matched > 2000 {
		t.Errorf("%d of 2500 texts match, want a fair part of them", matched)
	}
}

// TestPatternInLongText finds matches across the blocks in which a text is searched.
func TestPatternInLongText(t *testing.T) {
	filler := strings.Repeat("filler ", block-2)
	for _, text := range []string{"heart a attack", "a heart the attack", "the a heart a attack", "attack the the heart"} {
		doc := Pieces([]string{"", filler + text + " " + filler})
		if got := len(patternOf(t, "text:(heart NEAR/3 attack)", Whole).Matches(doc, 9)); got != 1 {
			t.Errorf("%s: got %d matches, want 1", text, got)
		}
		if patternOf(t, "text:(heart NEAR/1 attack)", Whole).In(doc) {
			t.Errorf("%s: heart and attack are adjacent", text)
		}
	}
	dense := Pieces([]string{"", strings.Repeat("a ", 3*block) + "b"})
	p := patternOf(t, "text:((a NEAR/100 a NEAR/100 a) PRE/1 b)", Whole)
	if got := p.Matches(dense, 9); len(got) != 1 {
		t.Errorf("got %d matches in a text of one repeated word, want 1", len(got))
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("heart attacks in women", "hea* NEAR/3 wom?n")
	f.Add("a b\x00c ⁉ é", `"a b" PRE/2 c*`)
	f.Fuzz(func(t *testing.T, text, pattern string) {
		n, err := query.Parse("f:(" + pattern + ")")
		if err != nil {
			return
		}
		for leaf := range query.Leaves(n) {
			predicate, ok := leaf.(*query.Predicate)
			if !ok {
				continue // it follows a parenthesis that closes f:(
			}
			tree, err := predicate.Pattern()
			if err != nil {
				t.Fatal(err)
			}
			p, err := NewPattern(tree, Whole)
			if err != nil {
				continue
			}
			doc := Pieces([]string{text, pattern})
			if found := p.Matches(doc, 3); p.In(doc) != (len(found) > 0) || len(found) > 0 && found[0].Text == "" {
				t.Fatalf("%s in %q: %t, and %v", pattern, text, p.In(doc), found)
			}
		}
	})
}

func BenchmarkPattern(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	var docs [][]uint16
	for range 1000 {
		var text []string
		for range 200 {
			text = append(text, shared().pieces[2000+r.IntN(8000)])
		}
		docs = append(docs, Pieces([]string{"", strings.Join(text, " ")}))
	}
	for _, text := range []string{"text:kerberos", `text:"heart attack"`, "text:thromb*", "text:((random* OR placebo*) NEAR/3 (trial OR study))"} {
		p := patternOf(b, text, Whole)
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				for _, d := range docs {
					p.In(d)
				}
			}
		})
	}
}
