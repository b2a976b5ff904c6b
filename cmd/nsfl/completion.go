package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// shells maps supported shells to their completion scripts.
var shells = map[string]func(root *cobra.Command) error{
	"bash": func(root *cobra.Command) error {
		if _, err := io.WriteString(root.OutOrStdout(), bashAlone); err != nil {
			return err
		}
		return root.GenBashCompletionV2(root.OutOrStdout(), true)
	},
	"zsh":        func(root *cobra.Command) error { return root.GenZshCompletion(root.OutOrStdout()) },
	"fish":       func(root *cobra.Command) error { return root.GenFishCompletion(root.OutOrStdout(), true) },
	"powershell": func(root *cobra.Command) error { return root.GenPowerShellCompletionWithDesc(root.OutOrStdout()) },
}

// bashAlone replaces the functions of the bash-completion package if it is not installed.
const bashAlone = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        local line=${COMP_LINE:0:COMP_POINT}
        read -ra words <<<"$line"
        [[ $line == *[[:space:]] ]] && words+=("")
        cword=$((${#words[@]} - 1))
        cur=${words[cword]} prev=${words[cword-1]}
    }
    _filedir() {
        local name
        while read -r name; do COMPREPLY+=("$name"); done < <(compgen "${1:--f}" -- "$cur")
    }
fi

`

func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a script that completes commands, flags and values in a shell",
		Long: `Completion prints a script for a shell. Load it in the shell's startup file: then the tab
key completes commands, flags, collections, modes, encoders and other values.`,
		Example: `  source <(nsfl completion bash)     # in ~/.bashrc
  source <(nsfl completion zsh)      # in ~/.zshrc
  nsfl completion fish | source      # in config.fish`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      args(1, 1, "the name of a shell: bash, zsh, fish or powershell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, ok := shells[args[0]]
			if !ok {
				return usageError{fmt.Errorf("unknown shell %q: it is bash, zsh, fish or powershell", args[0])}
			}
			return write(cmd.Root())
		},
	}
}

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
	"store":      cobra.FixedCompletions(stores.Schemes(), cobra.ShellCompDirectiveNoSpace),
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
