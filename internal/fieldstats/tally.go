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

// tally counts the values of a field in bounded memory: numbers, days of times, and texts, of
// too many the most frequent.
type tally struct {
	wish FacetRequest
	once bool // each value comes once

	numbers map[float64]int
	days    map[string]int
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
	return &tally{wish: w, numbers: map[float64]int{}, days: map[string]int{}, texts: map[string]int{}}
}

func (t *tally) addDocument(values []predicate.Value) {
	for v := range counted(values, t.wish.Field) {
		t.add(v, 1)
	}
}

func (t *tally) add(v predicate.Value, documents int) {
	t.kinds.Add(v)
	if v.IsNumber {
		t.gone += count(t.numbers, v.Number, documents)
		return
	}
	if len(v.Text) > maxTallyOne {
		t.long++
		return
	}
	if t.kinds.Kind == engine.Time {
		count(t.days, v.Text[:dayLetters], documents)
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

// count adds to the count of a value, unless there are too many values. It returns the number
// of values left out.
func count[K comparable](counts map[K]int, value K, n int) (gone int) {
	if _, known := counts[value]; !known && len(counts) >= maxDistinct {
		return 1
	}
	counts[value] += n
	return 0
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
	f := &Facet{Field: t.wish.Field, Kind: t.kinds.Told().Kind, Buckets: []Bucket{}, Approximate: max(len(t.numbers), len(t.days)) == maxDistinct}
	size := t.wish.Size
	switch {
	case f.Kind == engine.Number && len(t.numbers) > size:
		f.Buckets, f.layout = ranges(t.numbers, size)
	case f.Kind == engine.Time && len(t.texts)+t.gone > size:
		f.Buckets, f.layout = spans(t.days, size)
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
	var all []Bucket
	for _, x := range slices.Sorted(maps.Keys(t.numbers)) {
		all = append(all, Bucket{Value: spelled(x), Count: t.numbers[x]})
	}
	for _, text := range t.ordered()[:min(len(t.texts), size)] {
		all = append(all, Bucket{Value: text, Count: t.texts[text]})
	}
	distinct := len(t.numbers) + len(t.texts) + t.gone + t.long
	slices.SortStableFunc(all, func(a, b Bucket) int { return cmp.Compare(b.Count, a.Count) })
	f.Buckets = append(f.Buckets, all[:min(size, len(all))]...)
	f.Others = distinct - len(f.Buckets)
	f.Approximate = f.Approximate || t.pruned && !t.once
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
