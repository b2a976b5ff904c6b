package main

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/retrieve"
)

// studyOnly names the options that are flags of nsfl eval alone.
var studyOnly = []string{"pool", "fusion", "solver", "c-and", "c-not", "gate", "gate-cap", "similarity", "no-floors"}

// addKnobs adds a flag for each knob, except those named in but.
func addKnobs(f *pflag.FlagSet, knobs []retrieve.Knob, but ...string) {
	for _, k := range knobs {
		if slices.Contains(but, k.Name) {
			continue
		}
		flag := f.VarPF(&knobFlag{k, k.Default}, k.Name, k.Letter, k.Usage())
		if k.IsSwitch() {
			flag.NoOptDefVal, flag.DefValue = "true", "false"
		}
		if slices.ContainsFunc(new(retrieve.Research).Knobs(), func(r retrieve.Knob) bool { return r.Name == k.Name }) {
			group(f, forStudy, k.Name)
		}
	}
}

// knobFlag implements a flag for a knob.
type knobFlag struct {
	retrieve.Knob
	text string
}

func (k *knobFlag) String() string { return k.text }

// Set parses and sets a value.
func (k *knobFlag) Set(text string) error {
	k.text = text
	return k.Knob.Set(text)
}

// Type returns the type that help uses for a placeholder.
func (k *knobFlag) Type() string {
	switch number, whole := k.IsNumber(); {
	case k.IsSwitch():
		return "bool"
	case whole:
		return "int"
	case number:
		return "float"
	}
	return "string"
}
