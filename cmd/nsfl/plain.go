package main

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/internal/chat"
	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// addPlain adds the flags that say how plain language is read. In a shell that is auto by
// default, and rules where the flag is given alone.
func addPlain(f *pflag.FlagSet, o *retrieve.Options) {
	for _, k := range o.Knobs() {
		if k.Name == "nl" {
			o.PlainLanguage = nl.Auto
			flag := f.VarPF(&knobFlag{k, nl.Auto.String()}, k.Name, "", k.Usage())
			flag.NoOptDefVal = nl.Rules.String()
		}
	}
	model := &modelFlag{}
	o.Chat = model
	f.StringVar(&model.word, "llm", os.Getenv(chat.WordEnv), chat.Help)
	f.Lookup("llm").DefValue = "" // it may hold a password
}

// modelFlag is the model that a flag names. It is looked for when it is needed.
type modelFlag struct{ word string }

// Read asks it.
func (m *modelFlag) Read(ctx context.Context, text string) (nl.Reading, error) {
	c, err := chat.Open(m.word)
	if err != nil {
		return nl.Reading{}, err
	}
	return c.Read(ctx, text)
}
