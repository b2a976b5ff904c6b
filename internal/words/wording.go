package words

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
)

// Thresholds for near copies. Of pairs of the same licence with another holder and year 19 in
// 20 pass, and no pair of two different licences does.
const (
	leastWords  = 50   // in each text; a single word matters too much in shorter ones
	leastShared = 0.88 // Jaccard similarity of their shingles
)

// mostBytes is the longest text compared by shingles. Longer texts are reduced to a hash, so
// they are copies only if they are equal.
const mostBytes = 64 << 10

// Wording is a text prepared for the detection of copies. It is not safe for concurrent use,
// because shingles are computed on first use.
type Wording struct {
	title    string // empty once joined
	text     string // once joined, includes the title, with white space collapsed
	joined   bool
	sum      uint64   // hash of a long text, which is not kept
	shingles []uint64 // sorted hashes of three-word shingles; nil until computed
	denials  []uint64 // the shingles that start or end with a denial cue
}

// NewWording returns the wording of a title and a text. Either may be empty.
func NewWording(title, text string) *Wording {
	if len(title)+len(text) <= mostBytes {
		return &Wording{title: title, text: text}
	}
	var sum maphash.Hash
	sum.SetSeed(seed)
	for _, part := range []string{title, text} {
		for word := range strings.FieldsSeq(part) {
			sum.WriteString(word)
			sum.WriteByte(' ')
		}
	}
	return &Wording{sum: sum.Sum64(), joined: true}
}

// join combines title and text.
func (w *Wording) join() {
	if !w.joined {
		w.text, w.title, w.joined = strings.Join(strings.Fields(w.title+" "+w.text), " "), "", true
	}
}

// Copy reports whether two texts read the same. They must be equal except for white space or,
// unless they are short or very long, nearly equal with the same denials. Empty texts are not
// copies.
func (w *Wording) Copy(other *Wording) bool {
	w.join()
	other.join()
	if w.text == other.text {
		return w.sum == other.sum && (w.text != "" || w.sum != 0)
	}
	return w.shared(other) >= leastShared
}

// shared returns the Jaccard similarity of two texts' shingles. It is 0 if they are too short,
// too different in length, or differ in their denials.
func (w *Wording) shared(other *Wording) float64 {
	if short, long := min(len(w.text), len(other.text)), max(len(w.text), len(other.text)); 4*short < 3*long {
		return 0
	}
	w.cut()
	other.cut()
	a, b := w.shingles, other.shingles
	if min(len(a), len(b)) < leastWords+padding || !slices.Equal(w.denials, other.denials) {
		return 0
	}
	both := common(a, b)
	return float64(both) / float64(len(a)+len(b)-both)
}

// padding is the number of shingles beyond the number of words. Shingles extend past both
// ends, so every word is in three.
const padding = 2

var seed = maphash.MakeSeed()

// cut computes the shingles of the lower-case words.
func (w *Wording) cut() {
	if w.shingles != nil {
		return
	}
	const prime = 1<<61 - 1
	var last [3]string
	var numbers [3]uint64
	add := func(word string) {
		last, numbers = [3]string{last[1], last[2], word}, [3]uint64{numbers[1], numbers[2], maphash.String(seed, word)}
		number := (numbers[0]*prime+numbers[1])*prime + numbers[2]
		w.shingles = append(w.shingles, number)
		if denies(last) {
			w.denials = append(w.denials, number)
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(w.text), notOfWords) {
		add(word)
	}
	for range padding {
		add("")
	}
	slices.Sort(w.shingles)
	slices.Sort(w.denials)
}

func notOfWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// common returns the size of the multiset intersection of two sorted lists.
func common(a, b []uint64) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

// Cues without punctuation, as they occur in shingles. following is keyed by the first word of
// cues that deny the text after them, preceding by the last word of cues that deny the text
// before them.
var (
	following = byWord(func(p []string) string { return p[0] }, denials, exceptions)
	preceding = byWord(func(p []string) string { return p[len(p)-1] }, missing, freed)
)

func byWord(key func([]string) string, cues ...map[string][][]string) map[string][][]string {
	out := map[string][][]string{}
	for _, known := range cues {
		for _, list := range known {
			for _, p := range list {
				p = slices.DeleteFunc(slices.Clone(p), func(word string) bool { return strings.IndexFunc(word, notOfWords) >= 0 })
				out[key(p)] = append(out[key(p)], p)
			}
		}
	}
	return out
}

// denies reports whether a shingle starts or ends with a denial cue and thus includes a denied
// word.
func denies(shingle [3]string) bool {
	for _, p := range following[shingle[0]] {
		if slices.Equal(shingle[:len(p)], p) {
			return true
		}
	}
	for _, p := range preceding[shingle[2]] {
		if slices.Equal(shingle[3-len(p):], p) {
			return true
		}
	}
	return false
}
