package fieldstats

import (
	"cmp"
	"maps"
	"slices"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/predicate"
)

// How many values a tally keeps, and how long they may be.
const (
	maxTallied  = 1 << 16
	tallyBytes  = 8 << 20
	maxTallyOne = 256
)

// tally counts the values of a field in bounded memory: texts one by one, of too many the
// most frequent; numbers one by one and then by ranges; times by days and then by longer
// spans.
type tally struct {
	wish FacetRequest
	once bool // each value comes once

	numbers histogram
	times   calendar
	texts   map[string]int
	bytes   int // of texts
	gone    int // values that were left out
	long    int // of these, those that are too long
	kinds   Sketch
	pruned  bool
	floor   int // what of texts that come once is left out is no more frequent
}

func newTally(w FacetRequest) *tally {
	w.Size = cmp.Or(w.Size, facetSize)
	return &tally{wish: w, numbers: histogram{counts: map[float64]int{}}, times: calendar{map[string]int{}, dayLetters}, texts: map[string]int{}}
}

func (t *tally) addDocument(values []predicate.Value) {
	for v := range counted(values, t.wish.Field) {
		t.add(v, 1)
	}
}

func (t *tally) add(v predicate.Value, documents int) {
	t.kinds.Add(v)
	if v.IsNumber {
		t.numbers.add(v.Number, documents)
		return
	}
	if len(v.Text) > maxTallyOne {
		t.long++
		return
	}
	if t.kinds.Kind == engine.Time {
		t.times.add(v.Text, documents)
	}
	if t.once && documents <= t.floor {
		t.gone++
		return
	}
	if _, known := t.texts[v.Text]; !known {
		t.bytes += len(v.Text)
	}
	t.texts[v.Text] += documents
	if len(t.texts) > maxTallied || t.bytes > tallyBytes {
		t.prune()
	}
}

// prune leaves the more frequent half of the texts.
func (t *tally) prune() {
	order := t.ordered()
	half := len(order) / 2
	t.floor = t.texts[order[half]]
	for _, text := range order[half:] {
		t.bytes -= len(text)
		delete(t.texts, text)
		t.gone++
	}
	t.pruned = true
}

// ordered are the texts, the most frequent first, and otherwise by bytes.
func (t *tally) ordered() []string {
	return slices.SortedFunc(maps.Keys(t.texts), func(a, b string) int {
		return cmp.Or(cmp.Compare(t.texts[b], t.texts[a]), cmp.Compare(a, b))
	})
}

func (t *tally) facet() *Facet {
	f := &Facet{Field: t.wish.Field, Kind: t.kinds.Told().Kind, Buckets: []Bucket{}}
	size := t.wish.Size
	switch {
	case f.Kind == engine.Number && t.numbers.distinct() > size:
		f.Buckets, f.layout = t.numbers.ranges(size)
	case f.Kind == engine.Time && len(t.texts)+t.gone > size:
		f.Buckets, f.layout = t.times.spans(size)
	default:
		t.values(f, size)
	}
	for i := range f.Buckets {
		f.Buckets[i].Query = f.Buckets[i].condition(f.Field)
	}
	return f
}

// values are single ones, the most frequent first; equal ones in order.
func (t *tally) values(f *Facet, size int) {
	numbers, exact := t.numbers.values()
	all := numbers
	for _, text := range t.ordered()[:min(len(t.texts), size)] {
		all = append(all, Bucket{Value: text, Count: t.texts[text]})
	}
	distinct := len(numbers) + len(t.texts) + t.gone + t.long
	slices.SortStableFunc(all, func(a, b Bucket) int { return cmp.Compare(b.Count, a.Count) })
	f.Buckets = append(f.Buckets, all[:min(size, len(all))]...)
	f.Others = distinct - len(f.Buckets)
	f.Approximate = t.pruned && !t.once || !exact
	at := map[string]int{}
	for i, b := range f.Buckets {
		at[b.Value] = i
	}
	f.layout = func(v *predicate.Value) int {
		text := v.Text
		if v.IsNumber {
			text = spelled(v.Number)
		}
		if i, ok := at[text]; ok {
			return i
		}
		return -1
	}
}
