package main

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/chat"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// addPlain adds the flags for plain language.
func addPlain(f *pflag.FlagSet, o *retrieve.Options) {
	addKnobs(f, slices.DeleteFunc(o.Knobs(), func(k retrieve.Knob) bool { return k.Name != "nl" }))
	model := &modelFlag{}
	o.Chat = model
	f.StringVar(&model.word, "llm", os.Getenv(chat.WordEnv), chat.Help)
	f.Lookup("llm").DefValue = "" // it may hold a password
}

// modelFlag is a chat model named by a flag, opened when needed.
type modelFlag struct{ word string }

// Read asks the model to read a text.
func (m *modelFlag) Read(ctx context.Context, text string) (nl.Reading, error) {
	c, err := chat.Open(m.word)
	if err != nil {
		return nl.Reading{}, err
	}
	return c.Read(ctx, text)
}
