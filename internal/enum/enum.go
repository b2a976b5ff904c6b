// Package enum maps the values of an enumeration to names: the name of a value is the
// element at that index of a list. It does not know what is enumerated.
package enum

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/internal/spelling"
)

// Of returns the name of a value.
func Of[T ~uint8](words []string, choice T) string {
	if int(choice) < len(words) {
		return words[choice]
	}
	return fmt.Sprintf("unknown (%d)", choice)
}

// Find returns the value with a name. what describes the enumeration in errors.
func Find[T ~uint8](what string, words []string, word string) (T, error) {
	if i := slices.Index(words, word); i >= 0 {
		return T(i), nil
	}
	return 0, Unknown(what, words, word)
}

// Unknown returns an error for an unknown name that lists the valid ones.
func Unknown(what string, words []string, word string) error {
	text := fmt.Sprintf("unknown %s %q: it is one of %s", what, word, strings.Join(words, ", "))
	if meant := spelling.Meant(word, words); meant != "" {
		text += "; " + meant
	}
	return errors.New(text)
}
