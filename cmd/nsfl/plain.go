package main

import (
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/query/nl"
	"github.com/nsfl-go/nsfl/retrieve"
)

// addPlain adds the flag that says how plain language is read. In a shell that is auto by
// default, and rules where the flag is given alone.
func addPlain(f *pflag.FlagSet, o *retrieve.Options) {
	for _, k := range o.Knobs() {
		if k.Name == "nl" {
			o.PlainLanguage = nl.Auto
			flag := f.VarPF(&knobFlag{k, nl.Auto.String()}, k.Name, "", k.Usage())
			flag.NoOptDefVal = nl.Rules.String()
		}
	}
}
