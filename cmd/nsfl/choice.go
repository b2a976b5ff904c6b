package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/enum"
	"github.com/nsfl-go/nsfl/query/nl"
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

// loose lists the flags with an optional value, and which words can be that value.
var loose = map[string]func(word string) bool{
	"--open": func(word string) bool { _, err := strconv.Atoi(word); return err == nil },
	"--nl":   func(word string) bool { return slices.Contains(nl.WayNames(), word) },
	"--no-floors": func(word string) bool {
		for part := range strings.SplitSeq(word, ",") {
			if !slices.Contains([]string{"and", "not", "or"}, part) {
				return false
			}
		}
		return true
	},
}

// joined returns a command line in which such a flag and its value are one word; otherwise
// pflag would take the value for a part of the formula.
func joined(args []string) []string {
	out := []string{} // cobra would take none for those of the process
	for i := 0; i < len(args); i++ {
		takes := loose[args[i]]
		switch {
		case args[i] == "--":
			return append(out, args[i:]...)
		case takes != nil && i+1 < len(args) && takes(args[i+1]):
			out = append(out, args[i]+"="+args[i+1])
			i++
		default:
			out = append(out, args[i])
		}
	}
	return out
}
