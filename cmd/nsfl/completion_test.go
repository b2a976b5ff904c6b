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

// TestCompletion: collections, modes, encoders and other values complete, and nothing is
// opened or made for it.
func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"notes", "nodes"} {
		if code, _, errs := cli("The bees come first.", "index", "-", "-c", name, "--quiet"); code != exitOK {
			t.Fatal(errs)
		}
	}
	if err := os.Mkdir("normal", 0o777); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"nodes notes", []string{"search", "-c", "no"}},
		{"notes", []string{"info", "-c", "not"}},
		{filepath.Join(dir, "nodes") + " " + filepath.Join(dir, "notes"), []string{"info", "-c", dir + "/no"}},
		{"", []string{"search", "-c", "x"}},
		{"exact", []string{"search", "--mode", "ex"}},
		{"rerank", []string{"search", "--mode=re"}},
		{"off auto rules llm", []string{"search", "--nl="}},
		{"always", []string{"search", "--color", "al"}},
		{"union", []string{"compile", "--pool", "u"}},
		{"builtin", []string{"search", "--encoder", "b"}},
		{"paper", []string{"search", "--profile", "p"}},
		{"pubmed", []string{"query", "export", "--to", "p"}},
		{"--compare", []string{"search", "--comp"}},
		{"search serve", []string{"se"}},
		{"bash", []string{"completion", "b"}},
	} {
		got := completed(t, c.args...)
		slices.Sort(got)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
	if after := listing(t, dir); !slices.Equal(before, after) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// listing are all files below a directory, with their sizes and times.
func listing(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			out = append(out, path+" "+info.ModTime().String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCompletionInShells: nsfl search -c no<TAB> in the shells themselves.
func TestCompletionInShells(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if code, _, errs := cli("The bees come first.", "index", "-", "-c", filepath.Join(dir, "notes"), "--quiet"); code != exitOK {
		t.Fatal(errs)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "nsfl")); err != nil {
		t.Skip("no links here: ", err)
	}
	for shell, line := range map[string]string{
		// The function is that of the package bash-completion.
		"bash": `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${words[cword]} prev=${words[cword-1]}; }
			source <(nsfl completion bash)
			COMP_WORDS=(nsfl search -c no) COMP_CWORD=3 COMP_LINE='nsfl search -c no' COMP_POINT=17
			__start_nsfl; printf '%s\n' "${COMPREPLY[@]}"`,
		"zsh": `compdef() { : }; source <(nsfl completion zsh)
			_describe() { print -l -- $completions }
			words=(nsfl search -c no); CURRENT=4; _nsfl`,
		"fish": `nsfl completion fish | source; complete -C 'nsfl search -c no'`,
	} {
		t.Run(shell, func(t *testing.T) {
			program, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(shell + " is not installed")
			}
			cmd := exec.CommandContext(t.Context(), program, "-c", line)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), childEnv+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
			out, err := cmd.Output() // beside it, bash complains that no key was pressed
			if err != nil || strings.TrimSpace(string(out)) != "notes" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
