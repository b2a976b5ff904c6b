// Package enum gives choices their words. A choice is a number, and its word the one
// at that place in a list. What is chosen it does not know.
package enum

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/spelling"
)

// Of is the word of a choice.
func Of[T ~uint8](words []string, choice T) string {
	if int(choice) < len(words) {
		return words[choice]
	}
	return fmt.Sprintf("unknown (%d)", choice)
}

// Find is the choice of a word; what says in errors what is chosen.
func Find[T ~uint8](what string, words []string, word string) (T, error) {
	if i := slices.Index(words, word); i >= 0 {
		return T(i), nil
	}
	return 0, Unknown(what, words, word)
}

// Unknown says that a word is none of those that there are.
func Unknown(what string, words []string, word string) error {
	text := fmt.Sprintf("unknown %s %q: it is one of %s", what, word, strings.Join(words, ", "))
	if meant := spelling.Meant(word, words); meant != "" {
		text += "; " + meant
	}
	return errors.New(text)
}
