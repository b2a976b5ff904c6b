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

// A collection names its encoder, and may come from somebody else. Following any such
// name would send search terms, and a key, to an address of that person's choice, or read
// a folder of theirs. A collection's encoder is therefore used only if it needs no
// network or files (named.IsInside) or if the user has named it: a server's operator in
// Config.Encoders, a person on a command line, now or before.

// ForeignError reports that a collection names an encoder that is not trusted.
type ForeignError struct{ Word string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the collection names %[1]q as its encoder. Searches would send your query, and your key if it needs one, to that address. If you trust it, pass --encoder '%[1]s'", e.Word)
}

// Choose returns the spec of the encoder for the collection at a place: the given one,
// which it remembers, otherwise the one in the address, the one given for the place
// before, or the collection's own.
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

// Given returns the spec that the user has given for a place: now, in its address, or
// before. It is empty if there is none.
func Given(place string, store engine.Collection, given string) string {
	word := cmp.Or(given, stores.Encoder(place))
	if word == "" && nsfl.Anonymous(store) {
		word = attachments()[stores.Canonical(place)].Encoder
	}
	return word
}

// isOffered reports whether an encoder may be used here.
func (c *Collections) isOffered(word string) bool {
	return named.IsInside(word) || slices.ContainsFunc(c.config.Encoders, func(own string) bool { return named.Word(own) == word }) ||
		c.config.Personal && isRemembered(word)
}

// rememberedFile returns the file of the encoders that the user has named on a command
// line, one per line, or "" if there is none.
func rememberedFile() string { return ownFile("encoders") }

// ownFile returns the path of a file in the user's configuration directory.
func ownFile(name string) string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "" // without a home directory nothing is remembered
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

// remember records an encoder that needs the network or files. If that fails, the user
// has to name it again, as the later error explains.
func remember(word string) {
	word = named.Word(word)
	words, err := remembered()
	if named.IsInside(word) || slices.Contains(words, word) || strings.ContainsAny(word, "\r\n") ||
		err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	writeUserFile(rememberedFile(), strings.Join(append(words, word), "\n")+"\n")
}

// writeUserFile writes a file in the user's configuration directory, ignoring errors.
func writeUserFile(file, text string) {
	if file == "" || os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	_ = durable.WriteFile(file, "", []byte(text))
}
