package words

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// said returns the words of a passage, with denied ones in brackets.
func said(text string) string {
	v := shared()
	tokens := v.tokenize(text)
	var out []string
	for i, d := range deny(tokens) {
		switch {
		case tokens[i].sign:
		case d:
			out = append(out, "["+tokens[i].word+"]")
		default:
			out = append(out, tokens[i].word)
		}
	}
	return strings.Join(out, " ")
}

func TestDeny(t *testing.T) {
	for text, want := range map[string]string{
		"There is no lift, and a balcony.":                "there is no [lift] and a balcony",
		"No lift and no balcony":                          "no [lift] and no [balcony]",
		"no lift and a garden":                            "no [lift] and a garden",
		"A dog without a leash runs.":                     "a dog without [a] [leash] runs",
		"Free of nuts; contains milk":                     "free of [nuts] contains milk",
		"a nut-free cake":                                 "a [nut] free cake",
		"It isn't a comedy but a drama":                   "it isn t [a] [comedy] but a drama",
		"not only music but dance":                        "not only music but dance",
		"None of the rooms have air conditioning.":        "none of the rooms have [air] [conditioning]",
		"no one two three four five six seven eight nine": "no [one] [two] [three] [four] [five] [six] [seven] [eight] nine",
		"There are no voices in this song. It is sad.":    "there are no [voices] in this song it is sad",
		"She never picks people up, except in the rain.":  "she never picks people up except in the rain",
		"All rooms except the attic are dry.":             "all rooms except [the] [attic] are dry",
		"Kerberos":                                        "kerberos",
		"":                                                "",
	} {
		if got := said(text); got != want {
			t.Errorf("%q is read as %q, not %q", text, got, want)
		}
	}
}

// one returns the score of an untitled document with the given passages, in a collection with
// other documents.
func one(t *testing.T, atom string, passages ...string) float64 {
	t.Helper()
	s := NewStatistics()
	doc := Pieces(append([]string{""}, passages...))
	s.Add(doc)
	for _, other := range []string{"a man reads the paper", "the weather was fine", "of the people"} {
		s.Add(Pieces([]string{other}))
	}
	q := NewQuery([]string{atom}, s)
	out := make([]float32, 1)
	q.NewReader().Read(out, doc)
	return float64(out[0])
}

func TestRead(t *testing.T) {
	whole := []struct {
		atom     string
		passages []string
		low      float64
		high     float64
	}{
		{"dog", []string{"A dog runs."}, 1, 1},
		{"dogs", []string{"A dog runs."}, 1, 1},
		{"dog", []string{"Two dogs run."}, 1, 1},
		{"leash", []string{"leashes"}, 1, 1}, // two pieces
		{"iptables", []string{"The rules of iptables."}, 1, 1},
		{"iptables", []string{"an ip address and tables"}, 0, 0.001},
		{"ip", []string{"The rules of iptables."}, 0.79, 0.81},    // prefix of a longer word
		{"kerberos", []string{"Kerberos", "tickets"}, 0.89, 0.90}, // the mean of 1 and ∛½
		{"dog", []string{"a puppy sleeps"}, 0.2, 0.9},
		{"dog", []string{"no dog here"}, Least, Least}, // denied
		{"dog", []string{"no dog here", "one dog there"}, 0.89, 0.90},
		{"parking", []string{"Parking is not available."}, Least, Least},
		{"no dog", []string{"there is no dog here"}, 1, 1},
		{"no dog", []string{"there is a dog here"}, Least, 0.5},
		{"dog", []string{"there is no cat", "a dog"}, 0.89, 0.90},
		{"dog runs", []string{"a dog", "it runs"}, 0.5, 0.6}, // in different passages
		{"the dog", []string{"the weather"}, 0, 0.001},       // stop words do not count
		{"???", []string{"what"}, 0, 0},
		{"", []string{"what"}, 0, 0},
		{"dog", nil, 0, 0},
	}
	for _, c := range whole {
		if got := one(t, c.atom, c.passages...); got < c.low-1e-6 || got > c.high+1e-6 {
			t.Errorf("%q has %.3f of %q, not %v to %v", c.passages, got, c.atom, c.low, c.high)
		}
	}
}

// TestReadPlainly compares Read with plain loops over the words of passages.
func TestReadPlainly(t *testing.T) {
	vocabulary := strings.Fields("dog dogs puppy leash leashes kerberos iptables ip table tables without no not a the cat cats kite kites running 3 α , . ; but and")
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var out []string
		for range r.IntN(n) + 1 {
			out = append(out, vocabulary[r.IntN(len(vocabulary))])
		}
		return strings.Join(out, " ")
	}
	for range 300 {
		s := NewStatistics()
		var docs [][]string
		for range 5 {
			var passages []string
			for range r.IntN(4) {
				passages = append(passages, text(12))
			}
			docs = append(docs, passages)
			s.Add(Pieces(passages))
		}
		var atoms []string
		for range r.IntN(20) + 1 {
			atoms = append(atoms, text(4))
		}
		q := NewQuery(atoms, s, r.IntN(len(atoms)), r.IntN(len(atoms)))
		out := make([]float32, len(atoms))
		reader := q.NewReader()
		for _, d := range docs {
			reader.Read(out, Pieces(d))
			for i := range atoms {
				if want := plainly(q, i, d); math.Abs(float64(out[i])-want) > 1e-5 {
					t.Fatalf("%q has %v of %q, not %v", d, out[i], atoms[i], want)
				}
			}
		}
	}
}

// plainly returns the score that Read should give an atom for a title and passages.
func plainly(q *Query, atom int, segments []string) float64 {
	v := shared()
	a := &q.atoms[atom]
	n := len(a.words)
	whole, denial, title, mass, mentions := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	best, length := 0.0, 0
	for k, p := range segments {
		tokens := v.tokenize(p)
		denied := deny(tokens)
		if k > 0 {
			length += len(v.append(nil, p))
		}
		sum := 0.0
		for i, w := range a.words {
			word, found := &q.words[w], 0.0
			for j := range tokens {
				t := &tokens[j]
				if t.sign {
					continue
				}
				x := likeness(v, word.text, t)
				if !denied[j] && k > 0 {
					mentions[i] += math.Pow(x, 4)
				}
				if denied[j] == word.denied {
					found = max(found, x)
				} else {
					denial[i] = max(denial[i], x)
				}
			}
			sum += float64(a.weights[i]) * found
			whole[i] = max(whole[i], found)
			if k == 0 {
				title[i] = found
			} else {
				mass[i] += math.Pow(found, 4)
			}
		}
		best = max(best, sum)
	}
	passages, sum, least := max(1, len(segments)-1), 0.0, 1.0
	for i, x := range whole {
		x -= max(0, denial[i]-x) / 2
		switch {
		case a.excluded && x <= 0:
			x /= 2
		case a.excluded:
			density := min(1, mentions[i]*aboutEvery/float64(max(1, length)))
			x = max(title[i], x*density*density)
		case x > 0 && passages > 1:
			x = max(min(x, 0.8*title[i]), x*math.Cbrt(min(1, mass[i]/float64(passages))))
		}
		sum, least = sum+float64(a.weights[i])*x, min(least, x)
	}
	switch {
	case n == 0:
		return 0
	case a.excluded:
		return least
	}
	out := min(1, 4/float64(max(1, n))) * (best + sum) / 2
	if out > 0 {
		out = math.Pow(out, 1+0.3*math.Log2(float64(n)))
	}
	return out
}

// likeness returns the similarity of a stem to a token of a text.
func likeness(v *vocabulary, stem string, t *token) float64 {
	if Stem(t.word) == stem {
		return 1
	}
	best := byte(0)
	for _, f := range v.forms(stem) {
		if len(f) > 1 {
			continue
		}
		if f[0] == uint16(t.ids[0]) {
			best = 255
		}
		v.near[f[0]].each(func(p uint16, s byte) {
			if p == uint16(t.ids[0]) {
				best = max(best, s)
			}
		})
	}
	if len(t.ids) > 1 {
		best = begun(best)
	}
	return float64(best) / 255
}

// TestManyWords checks that a query with too many words keeps the rarest.
func TestManyWords(t *testing.T) {
	s := NewStatistics()
	s.Add(Pieces([]string{"the the the"}))
	var long []string
	for i := range 3 * maxWords {
		long = append(long, shared().pieces[3000+i])
	}
	q := NewQuery([]string{"kerberos the", strings.Join(long, " ")}, s)
	if len(q.words) != maxWords {
		t.Errorf("%d words are read, not %d", len(q.words), maxWords)
	}
}

func TestVocabularyRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"nothing": "", "another file": "PK\x03\x04....", "half": file[:len(file)/2], "more": file + "x",
	} {
		if _, err := readVocabulary(data); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// TestLongDocuments checks that wanted words count less in a collection of long documents, and
// excluded words do not.
func TestLongDocuments(t *testing.T) {
	doc := Pieces([]string{"", "a dog with a leash, a leash, a leash"})
	score := func(passages int) (out [2]float32) {
		s := NewStatistics()
		s.Add(Pieces(slices.Repeat([]string{"something else"}, passages+1)))
		NewQuery([]string{"dog", "leash"}, s, 1).NewReader().Read(out[:], doc)
		return out
	}
	short := score(5)
	for _, c := range []struct {
		passages int
		want     float32
	}{{1, 1}, {5, 1}, {8, 5.0 / 8}, {10, 0.5}, {100, 0.5}} {
		got := score(c.passages)
		if got[0] != short[0]*c.want || got[1] != short[1] {
			t.Errorf("with %d passages: got %v, want %v", c.passages, got, [2]float32{short[0] * c.want, short[1]})
		}
	}
}

// TestNumbersStay checks that the IDs of pieces do not change. Collections store them, so
// another vocabulary needs another file format. Neighbours may change.
func TestNumbersStay(t *testing.T) {
	sum := sha256.Sum256([]byte(strings.Join(shared().pieces, "\n")))
	if got := hex.EncodeToString(sum[:8]); got != "0f052197aac305fe" {
		t.Errorf("the pieces are others, %s: collections need another index.FormatVersion", got)
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("A dog without a leash.", "dog")
	f.Add("[PAD] [UNK] ##ing no \xff", "no dog")
	f.Fuzz(func(t *testing.T, text, atom string) {
		doc := Pieces([]string{text, text})
		s := NewStatistics()
		s.Add(doc)
		out := make([]float32, 1)
		NewQuery([]string{atom}, s).NewReader().Read(out, doc)
		if !(out[0] >= Least && out[0] <= 1.0001) {
			t.Errorf("%q has %v of %q", text, out[0], atom)
		}
		if slices.ContainsFunc(strings.Fields(atom), query.IsTruncated) {
			return // the words that it stands for have no question mark
		}
		if p, err := NewPattern(&query.Pattern{Words: atom}, Whole); atom != "" && err == nil && !p.In(Pieces([]string{text, atom})) {
			t.Errorf("%q is not found in itself", atom)
		}
	})
}

func TestExplain(t *testing.T) {
	doc := Pieces([]string{"Walks", "A puppy without a leash.", "Kerberos is not available here."})
	s := NewStatistics()
	s.Add(doc)
	s.Add(Pieces([]string{"something else"}))
	got := NewQuery([]string{"dog", "leashes", "kerberos tickets", "walk", "", "no leash", "no walks"}, s).Explain(doc)
	for i, want := range [][]Found{
		{{Word: "dog", Matched: "puppy", Passage: 1}},
		{{Word: "leashes", Matched: "leash", Passage: 1, Denied: true, Similarity: 1}},
		{{Word: "kerberos", Matched: "kerberos", Passage: 2, Denied: true, Similarity: 1}, {Word: "tickets"}},
		{{Word: "walk", Matched: "walks", Similarity: 1}},
		nil,
		{{Word: "leash", Matched: "leash", Passage: 1, Denied: true, Absent: true, Similarity: 1}},
		{{Word: "walks", Matched: "walks", Absent: true, Similarity: 1}},
	} {
		if len(got[i]) != len(want) {
			t.Fatalf("atom %d has %v, not %v", i, got[i], want)
		}
		for j, w := range want {
			g := got[i][j]
			if g.Absent != w.Absent || g.Word != w.Word || g.Matched != w.Matched || g.Passage != w.Passage || g.Denied != w.Denied || w.Similarity == 1 && !g.Exact() || w.Matched == "puppy" && !(g.Similarity > 0 && g.Similarity < 1) {
				t.Errorf("atom %d, word %d: %+v, not %+v", i, j, g, w)
			}
		}
	}
}
