package engine

import (
	"bytes"
	"encoding/json"

	"github.com/nsfl-go/nsfl/passage"
)

// Noted is a passage as stores that keep JSON have it: its text or, where its place is
// known, an object of both.
type Noted struct {
	Text  string
	Place passage.Place
}

type notedPlace struct {
	Text string `json:"text"`
	passage.Place
}

// MarshalJSON writes what UnmarshalJSON reads.
func (n Noted) MarshalJSON() ([]byte, error) {
	if n.Place == (passage.Place{}) {
		return json.Marshal(n.Text)
	}
	return json.Marshal(notedPlace{n.Text, n.Place})
}

// UnmarshalJSON reads either form.
func (n *Noted) UnmarshalJSON(raw []byte) error {
	*n = Noted{}
	if !bytes.HasPrefix(raw, []byte("{")) {
		return json.Unmarshal(raw, &n.Text)
	}
	var p notedPlace
	err := json.Unmarshal(raw, &p)
	n.Text, n.Place = p.Text, p.Place
	return err
}

// PassagesNoted are passages as they were noted; nil of nil.
func PassagesNoted(notes []Noted) []Passage {
	if notes == nil {
		return nil
	}
	out := make([]Passage, len(notes))
	for i, n := range notes {
		out[i] = Passage{Text: n.Text, Place: n.Place}
	}
	return out
}

// Note are passages without their vectors; nil of none.
func Note(passages []Passage) (notes []Noted) {
	for _, p := range passages {
		notes = append(notes, Noted{p.Text, p.Place})
	}
	return notes
}
