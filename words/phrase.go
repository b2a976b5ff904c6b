package words

import (
	"errors"
	"fmt"
	"slices"
)

// Field is the name of the field in predicates that look at what texts say:
// text:kerberos, text:"packet filter".
const Field = "text"

// Phrase is words that stand side by side in a passage, in any of their forms. Unlike a
// Query it is hard: a document has it or has not, and what it denies it has too.
type Phrase struct {
	words [][][]uint16 // the forms of each
}

// NewPhrase reads a word or several. Its errors say what is wrong with the text.
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

// In reports whether a document has the phrase.
func (p *Phrase) In(pieces []uint16) bool {
	for at := range pieces {
		if p.at(pieces[at:]) {
			return true
		}
	}
	return false
}

// at reports whether the phrase begins here.
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
