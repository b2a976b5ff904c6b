package main

import (
	"slices"

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

// joinPlain writes --nl auto as --nl=auto: since the flag may be given alone, its value
// would otherwise be taken for the query.
func joinPlain(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if args[i] == "--nl" && i+1 < len(args) && slices.Contains(nl.WayNames(), args[i+1]) {
			out = append(out, args[i]+"="+args[i+1])
			i++
			continue
		}
		out = append(out, args[i])
	}
	return out
}
