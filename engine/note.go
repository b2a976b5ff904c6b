package engine

import (
	"bytes"
	"encoding/json"

	"github.com/nsfl-go/nsfl/passage"
)

type placed struct {
	Text string `json:"text"`
	passage.Place
}

// MarshalJSON encodes a passage without its vector: as its text or, if its place is known, as
// an object of both.
func (p Passage) MarshalJSON() ([]byte, error) {
	if p.Place == (passage.Place{}) {
		return json.Marshal(p.Text)
	}
	return json.Marshal(placed{p.Text, p.Place})
}

// UnmarshalJSON decodes either form.
func (p *Passage) UnmarshalJSON(raw []byte) error {
	*p = Passage{}
	if !bytes.HasPrefix(raw, []byte("{")) {
		return json.Unmarshal(raw, &p.Text)
	}
	var x placed
	err := json.Unmarshal(raw, &x)
	p.Text, p.Place = x.Text, x.Place
	return err
}
