package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// complete registers completions for the values of flags. It opens no collection.
func complete(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		complete(c)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		var values cobra.CompletionFunc
		switch v := f.Value.(type) {
		case *choice:
			values = fixed(v.words...)
		case *knobFlag:
			values = fixed(v.Words...)
		case *profileFlag:
			values = cobra.FixedCompletions(profileWords, cobra.ShellCompDirectiveDefault)
		default:
			values = flagValues[f.Name]
		}
		if values != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, values) // it is there, and has none yet
		}
	})
}

func fixed(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// flagValues completes flags that mean the same in all commands.
var flagValues = map[string]cobra.CompletionFunc{
	"collection": completeCollection,
	"encoder":    cobra.FixedCompletions(encoderWords(), cobra.ShellCompDirectiveNoFileComp),
}

// encoderWords lists known encoders and the prefixes of others.
func encoderWords() []string {
	out := []string{builtin.Word}
	for _, p := range onnx.Presets() {
		out = append(out, p.Name)
	}
	return append(out, "onnx:", "ollama:", "openai:")
}

// completeCollection completes the directory of a collection, or one that may contain some.
func completeCollection(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	var found []string
	for _, dir := range workspace.Beside(begun) {
		if strings.HasPrefix(dir, begun) {
			found = append(found, dir)
		}
	}
	if len(found) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}
