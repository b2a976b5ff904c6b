package weaviate

import (
	"encoding/json"
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
)

// placesOf are the places of passages as they are stored; empty: none is known.
func placesOf(passages []engine.Passage) (string, error) {
	places := engine.Places(passages)
	if places == nil {
		return "", nil
	}
	text, err := json.Marshal(places)
	return string(text), err
}

// noted are passages by their texts and places as they are stored.
func noted(texts []string, places string) ([]engine.Noted, error) {
	var at []passage.Place
	if places != "" {
		if err := json.Unmarshal([]byte(places), &at); err != nil || len(at) != len(texts) {
			return nil, fmt.Errorf("the places of %d passages are %.40q: something else has changed them, and storing the document again puts it right", len(texts), places)
		}
	}
	var notes []engine.Noted
	for i, t := range texts {
		n := engine.Noted{Text: t}
		if at != nil {
			n.Place = at[i]
		}
		notes = append(notes, n)
	}
	return notes, nil
}
