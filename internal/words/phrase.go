package words

import (
	"errors"
	"fmt"
	"slices"
)

// Field is the predicate field that matches document text: text:kerberos, text:"packet
// filter".
const Field = "text"

// Phrase matches adjacent words in a passage, in any inflected form. Unlike a Query it is a
// hard filter: a document matches or not, and denied words match too.
type Phrase struct {
	words [][][]uint16 // forms of each word
}

// NewPhrase parses one or more words. Errors describe the problem with the text.
func NewPhrase(text string) (*Phrase, error) {
	v := shared()
	p := &Phrase{}
	for _, t := range v.tokenize(text) {
		if t.sign {
			continue
		}
		forms := v.forms(Stem(t.word))
		if uint16(t.ids[0]) == v.unknown || len(forms) == 0 {
			return nil, fmt.Errorf("%.40q has a character that no word is kept with", text)
		}
		p.words = append(p.words, forms)
	}
	if p.words == nil {
		return nil, errors.New("there is no word in it")
	}
	return p, nil
}

// In reports whether a document contains the phrase.
func (p *Phrase) In(pieces []uint16) bool {
	for at := range pieces {
		if p.at(pieces[at:]) {
			return true
		}
	}
	return false
}

// at reports whether rest starts with the phrase.
func (p *Phrase) at(rest []uint16) bool {
	for i, forms := range p.words {
		for i > 0 && len(rest) > 0 && (rest[0] == denying || rest[0] == stating) {
			rest = rest[1:]
		}
		k := slices.IndexFunc(forms, func(pieces []uint16) bool {
			if len(pieces) == 1 {
				return len(rest) > 0 && rest[0] == pieces[0]
			}
			return form(pieces).at(rest)
		})
		if k < 0 {
			return false
		}
		rest = rest[len(forms[k]):]
	}
	return true
}
