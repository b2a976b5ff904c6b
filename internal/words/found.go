package words

import (
	"slices"
	"strings"
)

// Found is the match of one term of an atom in a document.
type Found struct {
	Word string `json:"word"` // the term as written in the query, in lower case
	// Matched is the closest word of the document; empty if there is none.
	Matched    string  `json:"matched,omitempty"`
	Similarity float64 `json:"similarity"` // 1 for an exact match
	Passage    int     `json:"passage"`    // index of its passage; 0 is the title
	// Denied means that the document denies the word, and Absent that the atom does. If they
	// differ, the match counts against the document.
	Denied bool `json:"denied,omitempty"`
	Absent bool `json:"absent,omitempty"`
	// Mentions counts the passages that mention the exact word, and About reports whether the
	// document is about it. Both are set only for excluded words.
	Mentions int     `json:"mentions,omitempty"`
	Passages int     `json:"passages,omitempty"`
	About    bool    `json:"about,omitempty"`
	Weight   float64 `json:"weight"` // weight of the term within its atom; weights sum to 1
}

// Exact reports whether the match is exact.
func (f Found) Exact() bool { return f.Similarity == 1 }

// Explain returns, for each atom, the matches of its terms in a document, in query order.
func (q *Query) Explain(pieces []uint16) [][]Found {
	finds := make([]Found, len(q.words))
	for i := range q.words {
		finds[i].Word, finds[i].Absent = q.words[i].asked, q.words[i].denied
	}
	r := q.NewReader()
	for _, against := range []bool{false, true} { // a denial counts only if its match is better
		for at, passage := 0, 0; at <= len(pieces); at, passage = at+1, passage+1 {
			text := pieces[at:][:r.read(pieces[at:])]
			at += len(text)
			r.look()
			for i := range q.words {
				x := r.found[i]
				if against {
					x = r.absent[i]
				}
				if f := &finds[i]; float64(x) > f.Similarity {
					f.Similarity, f.Passage, f.Denied = float64(x), passage, against != q.words[i].denied
					f.Matched = q.matched(i, text, against != q.words[i].denied, x)
				}
			}
		}
	}
	q.countMentions(r, finds, pieces)
	out := make([][]Found, len(q.atoms))
	for i := range q.atoms {
		for k, w := range q.atoms[i].words {
			f := finds[w]
			f.Weight = float64(q.atoms[i].weights[k])
			out[i] = append(out[i], f)
		}
	}
	return out
}

// countMentions fills in the mention counts of excluded words.
func (q *Query) countMentions(r *Reader, finds []Found, pieces []uint16) {
	passages, length := r.scan(make([]float32, len(q.atoms)), pieces)
	for i := range q.words {
		if q.words[i].excluded {
			// A single mention in a short text does not make it a topic.
			finds[i].Passages, finds[i].About = passages, r.about(i, length) >= aboutLeast && (passages > 1 || r.title[i] == 1)
		}
	}
	for at := slices.Index(pieces, Break) + 1; at > 0 && at <= len(pieces); at++ {
		at += r.read(pieces[at:])
		for i, x := range r.stated {
			if q.words[i].excluded && x == exact {
				finds[i].Mentions++
			}
		}
	}
}

// aboutLeast is the least score at which a document counts as being about a word.
const aboutLeast = 0.5

// exact is the similarity of a word to itself.
const exact = 255

// matched returns the word of a passage whose similarity to word i is the given one. It searches
// the denied words if denied is set, and the stated ones otherwise.
func (q *Query) matched(i int, passage []uint16, denied bool, similarity float32) string {
	in := false
	for at := 0; at < len(passage); at++ {
		p := passage[at]
		if p == denying || p == stating {
			in = p == denying
			continue
		}
		if in != denied {
			continue
		}
		end := at + 1
		for end < len(passage) && continues(passage[end]) {
			end++
		}
		here := byte(0)
		for j := at; j < end; j++ {
			for _, h := range q.hits[q.rows[passage[j]]&^mark] {
				if h.word == i && (h.form == nil && j == at || h.form != nil && j-h.at == at && h.form.at(passage[at:])) {
					here = max(here, h.similarity)
				}
			}
		}
		if similarities[here] == similarity {
			return shared().text(passage[at:end])
		}
	}
	return ""
}

// text returns the spelling of a word.
func (v *vocabulary) text(word []uint16) string {
	var b strings.Builder
	for _, p := range word {
		b.WriteString(strings.TrimPrefix(v.pieces[p&^fragment], "##"))
	}
	return b.String()
}
