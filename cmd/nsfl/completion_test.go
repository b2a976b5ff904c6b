package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completed are the values that are offered for a command line that ends where the cursor is.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	out := must(t, append([]string{"__completeNoDesc"}, args...)...)
	begun := args[len(args)-1]
	if _, value, ok := strings.Cut(begun, "="); ok {
		begun = value
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	// The last is a number for the script, which also takes what begins as it should.
	return slices.DeleteFunc(lines[:len(lines)-1], func(line string) bool { return !strings.HasPrefix(line, begun) })
}

// TestCompletion: commands and flags complete.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--compare", []string{"search", "--comp"}},
		{"search serve", []string{"se"}},
		{"bash", []string{"completion", "b"}},
	} {
		got := completed(t, c.args...)
		slices.Sort(got)
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%v: got %q, want %q", c.args, got, c.want)
		}
	}
}

// TestCompletionInShells: nsfl vec<TAB> in the shells themselves.
func TestCompletionInShells(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "nsfl")); err != nil {
		t.Skip("no links here: ", err)
	}
	for shell, line := range map[string]string{
		// The function is that of the package bash-completion.
		"bash": `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${words[cword]} prev=${words[cword-1]}; }
			source <(nsfl completion bash)
			COMP_WORDS=(nsfl vec) COMP_CWORD=1 COMP_LINE='nsfl vec' COMP_POINT=8
			__start_nsfl; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh": `compdef() { : }; source <(nsfl completion zsh)
			_describe() { print -l -- $completions }
			words=(nsfl vec); CURRENT=2; _nsfl`,
		"fish": `nsfl completion fish | source; complete -C 'nsfl vec'`,
	} {
		t.Run(shell, func(t *testing.T) {
			program, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(shell + " is not installed")
			}
			cmd := exec.CommandContext(t.Context(), program, "-c", line)
			cmd.Env = append(os.Environ(), childEnv+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
			out, err := cmd.Output() // beside it, bash complains that no key was pressed
			if err != nil || !strings.HasPrefix(string(out), "vector") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
