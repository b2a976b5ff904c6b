package encoder

import (
	"fmt"

	"github.com/nsfl-go/nsfl/passage"
)

// Lengths are those of passages of at most so many tokens of an encoder, which must
// read as many; 0: the usual ones.
func Lengths(e Encoder, most int) (passage.Lengths, error) {
	l, id := passage.Lengths{Max: most}, e.Identity()
	room := id.MaxTokens * 3 / 4 // what is estimated may be more; 0: nobody knows
	if counter := CounterOf(e); counter != nil {
		l.Count, room = counter.Tokens, counter.Room()
	}
	switch {
	case room > 0 && most > room:
		return l, fmt.Errorf("passages of %d tokens are longer than the encoder %s reads; %d are possible", most, id.Name, room)
	case room > 0 && most == 0:
		l = l.Within(room)
	}
	return l.WithDefaults()
}
