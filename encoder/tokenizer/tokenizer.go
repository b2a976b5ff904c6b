package tokenizer

import (
	"math"
	"sync"
	"unicode/utf8"
)

// Tokenizer converts texts to token ids. It is immutable and safe for concurrent use.
type Tokenizer struct {
	added         matcher // in the original text
	normalizers   []normalizer
	addedAfter    matcher // in the normalized text
	splitters     []splitter
	model         model
	ids           map[string]int32 // of the added tokens
	before, after []int32
}

// model splits a word into tokens.
type model interface {
	// encode appends the ids of a nonempty word.
	encode(ids []int32, word []byte, s *scratch) []int32
	id(token string) (int32, bool)
	// size returns the number of tokens.
	size() int
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// scratch holds the buffers of one Encode.
type scratch struct {
	ids     []int32
	text    []byte
	norm    [2][]byte
	clean   []byte
	apart   []byte
	pieces  [2]pieces
	merge   merging
	lattice lattice
}

// ID returns the id of a token, such as the padding token.
func (t *Tokenizer) ID(token string) (int32, bool) {
	if id, ok := t.ids[token]; ok {
		return id, true
	}
	return t.model.id(token)
}

// Encode returns the ids of a text, including the special tokens that the file puts around
// it, and whether the text was truncated to at most limit ids. A limit of 0 or less means
// no limit; one below the number of special tokens leaves the first of them. Each invalid
// UTF-8 byte reads as U+FFFD.
//
// The file's own settings for truncation and padding are ignored: published files ask for
// padding to 128 tokens, which is the caller's decision.
func (t *Tokenizer) Encode(text string, limit int) (ids []int32, cut bool) {
	most := math.MaxInt
	if limit > 0 {
		most = max(limit-len(t.after), len(t.before))
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.ids = append(s.ids[:0], t.before...)
	s.text = appendValid(s.text[:0], text)
	s.ids = t.segments(s.ids, s.text, most, s)
	if cut = len(s.ids) > most; cut {
		s.ids = s.ids[:most]
	}
	s.ids = append(s.ids, t.after...)
	if limit > 0 && len(s.ids) > limit {
		s.ids = s.ids[:limit]
	}
	return append(make([]int32, 0, len(s.ids)), s.ids...), cut
}

// Count returns the number of ids of a text, without the special tokens around it. If white
// space can be a token it adds two, the most that an empty line before the text may add.
func (t *Tokenizer) Count(text string) int {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.text = appendValid(s.text[:0], text)
	s.ids = t.segments(s.ids[:0], s.text, math.MaxInt, s)
	if _, spaceless := t.model.(*wordPiece); spaceless {
		return len(s.ids)
	}
	return len(s.ids) + 2
}

func appendValid(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return append(dst, text...)
	}
	for _, r := range text {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// segments appends the ids of a text. It may stop once there are more than most.
func (t *Tokenizer) segments(ids []int32, text []byte, most int, s *scratch) []int32 {
	return t.added.encode(ids, text, most, func(ids []int32, text []byte) []int32 {
		for i, n := range t.normalizers {
			buf := &s.norm[i%2]
			*buf = n.normalize((*buf)[:0], text, s)
			text = *buf
		}
		return t.addedAfter.encode(ids, text, most, func(ids []int32, text []byte) []int32 {
			return t.words(ids, text, most, s)
		})
	})
}

// words appends the ids of a normalized text.
func (t *Tokenizer) words(ids []int32, text []byte, most int, s *scratch) []int32 {
	in, out := &s.pieces[0], &s.pieces[1]
	in.text, in.spans = text, append(in.spans[:0], span{0, len(text)})
	for _, splitter := range t.splitters {
		out.text, out.spans = in.text, out.spans[:0]
		splitter.split(in, out)
		in, out = out, in
	}
	for _, w := range in.spans {
		if len(ids) > most {
			break
		}
		ids = t.model.encode(ids, in.text[w.start:w.end], s)
	}
	return ids
}
