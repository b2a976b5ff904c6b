package suggest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/words"
)

// sample holds statistics of the sampled documents.
type sample struct {
	texts  int
	known  map[string]*thing
	beside map[[2]string]int           // counts of adjacent stems, in either order
	fields map[string]map[string][]int // texts by field and value
}

func newSample() *sample {
	return &sample{known: map[string]*thing{}, beside: map[[2]string]int{}, fields: map[string]map[string][]int{}}
}

// thing is a word that seems to name something.
type thing struct {
	stem   string
	in     []int          // texts that contain the word
	titles int            // how many of them in the title
	named  int            // how many of them as a noun
	forms  map[string]int // counts of its spellings
}

// value scores how suitable a word is for a search.
func (t *thing) value() float64 { return float64(t.named+2*t.titles) / float64(len(t.in)) }

const (
	together  = 1200 // bytes of a document that are treated as one text
	stretches = 12   // stretches of that many bytes to read
)

func (s *sample) add(d *engine.Document) {
	texts := []string{start(d.Text, together)}
	for i := range d.Passages {
		text := d.Passages[i].Text
		switch last := len(texts) - 1; {
		case i == 0:
			texts[0] = text
		case len(texts[last])+len(text) <= together:
			texts[last] += "\n" + text
		case len(texts) < stretches:
			texts = append(texts, text)
		}
	}
	for i, text := range texts {
		title := ""
		if i == 0 {
			title = d.Title
		}
		s.addText(title, strings.TrimPrefix(text, d.Title), d.Metadata)
	}
}

// addText records a text whose parts belong together.
func (s *sample) addText(title, text string, metadata json.RawMessage) {
	seen := map[*thing]*place{}
	s.read(title, true, seen)
	s.read(text, false, seen)
	for t, p := range seen {
		t.in = append(t.in, s.texts)
		t.titles += p.title
		t.named += p.noun
	}
	s.addFields(metadata)
	s.texts++
}

// place records where a text has a word: 1 if so.
type place struct{ title, noun int }

// start returns the first bytes of a text, up to most, without a partial character or
// word.
func start(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	text = text[:most]
	return text[:max(0, strings.LastIndexFunc(text, unicode.IsSpace))]
}

// read records the words of a text.
func (s *sample) read(text string, title bool, seen map[*thing]*place) {
	tokens := cut(text)
	for i, w := range tokens {
		if !isContent(w) {
			continue
		}
		stem := words.Stem(w)
		t := s.known[stem]
		if t == nil {
			t = &thing{stem: stem, forms: map[string]int{}}
			s.known[stem] = t
		}
		p := seen[t]
		if p == nil {
			p = &place{}
			seen[t] = p
			t.forms[w]++
		}
		if title {
			p.title = 1
		}
		if isNoun(tokens, i, title) {
			p.noun = 1
		}
		if i > 0 && isContent(tokens[i-1]) {
			before := words.Stem(tokens[i-1])
			s.beside[[2]string{before, stem}]++
			s.beside[[2]string{stem, before}]++
		}
	}
}

// things returns the words that name something and occur in neither too few nor too many
// texts, the best first.
func (s *sample) things() []*thing {
	const considered = 120
	least, limit := max(2, s.texts/200), max(3, s.texts/3)
	var out []*thing
	for _, stem := range slices.Sorted(maps.Keys(s.known)) {
		t := s.known[stem]
		if len(t.in) >= least && len(t.in) <= limit && (t.named*4 >= len(t.in) || t.titles*2 >= len(t.in)) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *thing) int {
		return cmp.Compare(b.value()*float64(len(b.in)), a.value()*float64(len(a.in)))
	})
	return out[:min(considered, len(out))]
}

// addFields records metadata fields that hold words.
func (s *sample) addFields(metadata json.RawMessage) {
	var fields map[string]any
	if len(metadata) == 0 || json.Unmarshal(metadata, &fields) != nil {
		return
	}
	for name, value := range fields {
		text, ok := value.(string)
		if !ok || text == "" || len(text) > 40 || !query.IsField(name) || name == words.Field {
			continue
		}
		if s.fields[name] == nil {
			s.fields[name] = map[string][]int{}
		}
		s.fields[name][text] = append(s.fields[name][text], s.texts)
	}
}

// condition returns a thing, and a field value that some of its texts have and others do
// not. It prefers the field with the fewest values.
func (s *sample) condition(things []*thing, used map[*thing]bool) (*thing, *query.Predicate) {
	const values = 24
	names := slices.SortedFunc(maps.Keys(s.fields), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(s.fields[a]), len(s.fields[b])), cmp.Compare(a, b))
	})
	for _, name := range names {
		if len(s.fields[name]) < 2 || len(s.fields[name]) > values {
			continue
		}
		for _, t := range things {
			for _, value := range slices.Sorted(maps.Keys(s.fields[name])) {
				if both := common(t.in, s.fields[name][value]); !used[t] && both >= 2 && both < len(t.in) {
					return t, &query.Predicate{Field: name, Value: value}
				}
			}
		}
	}
	return nil, nil
}
