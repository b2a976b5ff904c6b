package workspace

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/durable"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// A collection names its encoder, and may come from elsewhere. Were its word followed
// whatever it is, opening the collection would send what is searched for, and a key, to
// an address of somebody else's choice, or read a folder of theirs. So the word of a
// collection counts only where it reaches nothing outside (named.IsInside) or where
// whoever runs this has named it: the server's operator in Config.Encoders, a person on
// a command line, now or before.

// ForeignError says that a collection names an encoder that nobody here has.
type ForeignError struct{ Word string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the collection says that its encoder is %[1]q. What is searched for would go there, with your key where it takes one, on the word of the collection alone; if you know that place, name it: --encoder '%[1]s'", e.Word)
}

// Choose is the word of the encoder for the collection at a place: the given one, which is
// remembered, or, where none is given, the one that the address names, the one that was given
// for the place before, or the collection's own.
func Choose(ctx context.Context, place string, store engine.Collection, given string) (string, error) {
	if given = Given(place, store, given); given != "" {
		remember(given)
		return given, nil
	}
	word, err := Word(ctx, store)
	if err == nil && !named.IsInside(word) && !isRemembered(word) {
		err = &ForeignError{word}
	}
	return word, err
}

// Given is the word of the encoder that a person has named for a place, now, in its address,
// or before; empty where none has.
func Given(place string, store engine.Collection, given string) string {
	word := cmp.Or(given, stores.Encoder(place))
	if word == "" && nsfl.Anonymous(store) {
		word = attachments()[stores.Canonical(place)].Encoder
	}
	return word
}

// isOffered reports whether the encoder of a collection may be used here.
func (c *Collections) isOffered(word string) bool {
	return named.IsInside(word) || slices.ContainsFunc(c.config.Encoders, func(own string) bool { return named.Word(own) == word }) ||
		c.config.Personal && isRemembered(word)
}

// rememberedFile is where the words are that a person has named on a command line, one a
// line; empty: nowhere.
func rememberedFile() string { return ownFile("encoders") }

// ownFile is where something is that a person has said.
func ownFile(name string) string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "" // without a home nothing is remembered, and everything has to be named
	}
	return filepath.Join(dir, "nsfl", name)
}

func isRemembered(word string) bool {
	words, err := remembered()
	return err == nil && slices.Contains(words, word)
}

func remembered() (words []string, err error) {
	f, err := os.Open(rememberedFile())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words = append(words, lines.Text())
	}
	return words, nil
}

// remember notes a word that reaches outside. Where that fails the word has to be named
// again, which its error then says.
func remember(word string) {
	word = named.Word(word)
	words, err := remembered()
	if named.IsInside(word) || slices.Contains(words, word) || strings.ContainsAny(word, "\r\n") ||
		err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	keep(rememberedFile(), strings.Join(append(words, word), "\n")+"\n")
}

// keep writes a file of a person's own, as far as it can.
func keep(file, text string) {
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	made, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+"-*") // readable by its owner alone: an address may hold a password
	if err != nil {
		return
	}
	_, err = made.WriteString(text)
	if err = errors.Join(err, made.Close()); err == nil {
		err = durable.Rename(made.Name(), file)
	}
	if err != nil {
		_ = os.Remove(made.Name()) // it is of no use to anyone
	}
}
