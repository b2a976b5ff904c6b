package words

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
)

// What two texts that are not equal must have to be copies. Of one licence with another
// holder and another year 19 of 20 pairs share as much, of two licences none.
const (
	leastWords  = 50   // in each of them: one word is much of fewer
	leastShared = 0.88 // of all their shingles, in both
)

// mostBytes is how long texts are compared by what they share. Of longer ones a sum is
// kept in place of the text, so that they are copies only where they are equal.
const mostBytes = 64 << 10

// Wording is how a text says what it says, to be compared with others. It is not safe for
// concurrent use: what a comparison needs is made when it is first needed.
type Wording struct {
	title    string // nothing of it is left when text is joined
	text     string // with the title, all white space being one space, when it is joined
	joined   bool
	sum      uint64   // in place of a long text
	shingles []uint64 // of three words each, in order of number; nil: not made yet
	denials  []uint64 // those of them that begin or end with a cue of denial
}

// NewWording is that of a title and a text, either of which may be empty.
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

// join brings title and text together.
func (w *Wording) join() {
	if !w.joined {
		w.text, w.title, w.joined = strings.Join(strings.Fields(w.title+" "+w.text), " "), "", true
	}
}

// Copy reports whether two texts are one to a reader: equal but for white space or, where
// they are neither short nor very long, nearly so, and what one denies the other denies in
// the same words. Texts that say nothing are no copies.
func (w *Wording) Copy(other *Wording) bool {
	w.join()
	other.join()
	if w.text == other.text {
		return w.sum == other.sum && (w.text != "" || w.sum != 0)
	}
	return w.shared(other) >= leastShared
}

// shared is how many of all shingles of two texts are in both; 0 where they are too short,
// or too different in length, or deny different things.
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

// padding is how many shingles there are more than words: they reach beyond both ends, so
// that every word is in three.
const padding = 2

var seed = maphash.MakeSeed()

// cut makes the shingles, of words in lower case.
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

// common is how many numbers two ordered lists share, each as often as both have it.
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

// The cues as shingles have them, without signs: those that deny what follows by their
// first word, those that deny what stands before by their last.
var (
	following = spoken(func(p []string) string { return p[0] }, denials, exceptions)
	preceding = spoken(func(p []string) string { return p[len(p)-1] }, missing, freed)
)

func spoken(key func([]string) string, cues ...map[string][][]string) map[string][][]string {
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

// denies reports whether a shingle tells what a cue denies.
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
