package encoder

import (
	"fmt"

	"github.com/nsfl-go/nsfl/passage"
)

// Lengths returns the lengths for splitting documents into passages of at most most tokens,
// counted by the encoder; 0 means the default. It fails if the encoder cannot read as many.
func Lengths(e Encoder, most int) (passage.Lengths, error) {
	l, id := passage.Lengths{Max: most}, e.Identity()
	room := id.MaxTokens * 3 / 4 // estimates may be too low; 0 means unknown
	if counter := CounterOf(e); counter != nil {
		l.Count, room = counter.Tokens, counter.Room()
	}
	switch {
	case room > 0 && most > room:
		return l, fmt.Errorf("passages of %d tokens are too long for the encoder %s, which reads at most %d", most, id.Name, room)
	case room > 0 && most == 0:
		l = l.Within(room)
	}
	return l.WithDefaults()
}
