package main

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/enum"
)

// choice is a flag whose value is one of a list of words.
type choice struct {
	to    *string
	words []string
}

// addChoice adds a flag whose value is one of words.
func addChoice(f *pflag.FlagSet, to *string, name, usual string, words []string, help string) {
	*to = usual
	f.Var(&choice{to, words}, name, help)
}

func (c *choice) String() string { return *c.to }

// Type returns the type that help uses for a placeholder.
func (c *choice) Type() string { return "string" }

// Set sets the value, or returns an error that lists the words.
func (c *choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return enum.Unknown("value", c.words, word)
	}
	*c.to = word
	return nil
}

// addColour adds the flag --color, for newTerminal.
func addColour(f *pflag.FlagSet, to *string) {
	addChoice(f, to, "color", "auto", []string{"auto", "always", "never"}, "auto, always or never")
}
