package tokenizer

import (
	"math"
	"strings"
	"sync"
	"unicode/utf8"
)

// Tokenizer turns texts into token ids. It is immutable and safe for concurrent
// use.
type Tokenizer struct {
	added         matcher // of the text as it stands
	normalizers   []normalizer
	addedAfter    matcher // of the normalized text
	splitters     []splitter
	model         model
	ids           map[string]int32 // of the added tokens
	before, after []int32

	// Texts are worked through in parts of about partSize bytes where no step
	// sees across their borders, so that a long text is not read beyond a limit.
	local    bool
	partSize int
}

const partSize = 1 << 10

// model splits a word into tokens.
type model interface {
	// encode appends the ids of a word that is not empty.
	encode(ids []int32, word []byte, s *scratch) []int32
	id(token string) (int32, bool)
	// size is the number of tokens.
	size() int
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// scratch is the memory of one Encode.
type scratch struct {
	ids     []int32
	part    []byte
	norm    [2][]byte
	clean   []byte
	apart   []byte
	pieces  [2]pieces
	merge   merging
	lattice lattice
}

// place says where in a text a part of it stands.
type place struct {
	begins bool // it does not go on with what another part began
	origin bool // it is the text's beginning
}

// ID is the id of a token by its text, the padding token for instance.
func (t *Tokenizer) ID(token string) (int32, bool) {
	if id, ok := t.ids[token]; ok {
		return id, true
	}
	return t.model.id(token)
}

// Encode is the ids of a text, with the tokens that the file puts around it, and
// whether the text's end was cut off so that there are at most limit ids, those
// tokens among them. A limit of 0 or less is none; one below the number of those
// tokens leaves the first of them. Bytes that are not UTF-8 read as U+FFFD each.
//
// What the file itself says of cutting and padding is ignored: shipped files ask
// for padding to 128, which is for the caller to decide.
func (t *Tokenizer) Encode(text string, limit int) (ids []int32, cut bool) {
	most := math.MaxInt
	if limit > 0 {
		most = max(limit-len(t.after), len(t.before))
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.ids = append(s.ids[:0], t.before...)
	for at := (place{true, true}); text != "" && len(s.ids) <= most; at = (place{}) {
		end := t.partEnd(text)
		s.part = appendValid(s.part[:0], text[:end])
		s.ids = t.part(s.ids, s.part, at, most, s)
		text = text[end:]
	}
	if cut = len(s.ids) > most; cut {
		s.ids = s.ids[:most]
	}
	s.ids = append(s.ids, t.after...)
	if limit > 0 && len(s.ids) > limit {
		s.ids = s.ids[:limit]
	}
	return append(make([]int32, 0, len(s.ids)), s.ids...), cut
}

// partEnd is where the first part of a text ends: before a space between two
// letters or digits of ASCII. No normalizer that is local joins or removes those,
// every splitter that is local splits there, and added tokens do not end there.
func (t *Tokenizer) partEnd(text string) int {
	if !t.local {
		return len(text)
	}
	for at := t.partSize; at < len(text)-1; at++ {
		space := strings.IndexByte(text[at:len(text)-1], ' ')
		if space < 0 {
			break
		}
		at += space
		if isAlphanumeric(text[at-1]) && isAlphanumeric(text[at+1]) {
			return at
		}
	}
	return len(text)
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
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

// part appends the ids of a part of a text. It may stop when there are more than
// most.
func (t *Tokenizer) part(ids []int32, part []byte, at place, most int, s *scratch) []int32 {
	for m := (matches{matcher: &t.added, text: part}); m.next() && len(ids) <= most; {
		if m.id >= 0 {
			ids = append(ids, m.id)
		} else {
			ids = t.segment(ids, m.piece(), at.of(m.start), most, s)
		}
	}
	return ids
}

// of is the place of what begins at an offset.
func (at place) of(offset int) place {
	if offset == 0 {
		return at
	}
	return place{begins: true}
}

// segment appends the ids of what is between added tokens.
func (t *Tokenizer) segment(ids []int32, text []byte, at place, most int, s *scratch) []int32 {
	for i, n := range t.normalizers {
		buf := &s.norm[i%2]
		*buf = n.normalize((*buf)[:0], text, at.begins, s)
		text = *buf
	}
	for m := (matches{matcher: &t.addedAfter, text: text}); m.next() && len(ids) <= most; {
		if m.id >= 0 {
			ids = append(ids, m.id)
		} else {
			ids = t.words(ids, m.piece(), at.of(m.start), most, s)
		}
	}
	return ids
}

// words appends the ids of a normalized text.
func (t *Tokenizer) words(ids []int32, text []byte, at place, most int, s *scratch) []int32 {
	in, out := &s.pieces[0], &s.pieces[1]
	in.text, in.spans = text, append(in.spans[:0], span{0, len(text)})
	for _, splitter := range t.splitters {
		out.text, out.spans = in.text, out.spans[:0]
		splitter.split(in, out, at)
		in, out = out, in
		at = place{begins: true}
	}
	for _, w := range in.spans {
		if len(ids) > most {
			break
		}
		ids = t.model.encode(ids, in.text[w.start:w.end], s)
	}
	return ids
}
