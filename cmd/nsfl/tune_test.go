package main

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/profile"
)

var update = flag.Bool("update", false, "write the golden files")

// TestTuneDemo: what is learned from the demo, to the last digit that is shown.
func TestTuneDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand rankings")
	}
	got := must(t, "tune", "--set", "demo", "--quiet")
	golden := filepath.Join("testdata", "tune-demo.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the last bits of exponentials are those of the machine, and documents of almost equal scores go by them")
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("what is learned from the demo has changed; where that is right, go test ./cmd/nsfl -run TuneDemo -update writes it anew\n%s", got)
	}
}

// TestTuneDelivers: the profile goes to a file that other commands read, and into a
// collection.
func TestTuneDelivers(t *testing.T) {
	dir := t.TempDir()
	file, collection := filepath.Join(dir, "p.json"), filepath.Join(dir, "c")
	must(t, "index", tree(t, map[string]string{"a.md": "A page."}), "-c", collection)
	must(t, "tune", "--set", evalData+"animals", "--from", "paper", "--force", "--folds", "2", "--name", "mine", "--quiet", "-o", file, "-c", collection)
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Read(f)
	if err != nil || p.Name != "mine" || p.Encoder != "nsfl-builtin" || len(p.Evidence) != 1 || p.Evidence[0].Set != "animals" {
		t.Fatalf("got error %v and the profile %s, want mine with its evidence", err, p)
	}
	must(t, "eval", "--set", evalData+"animals", "--methods", "exact", "--profile", file, "--quiet")
	store, err := (&collectionFlags{collection: collection}).openStore(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	notes, err := store.Notes(t.Context(), nsfl.ProfileNote)
	if err != nil || notes[nsfl.ProfileNote] != p.String() {
		t.Errorf("the collection has %q, %v", notes, err)
	}
}

// TestTuneNames: a profile without a name is called by what is in it.
func TestTuneNames(t *testing.T) {
	words := []string{"tune", "--set", evalData + "animals", "--folds", "2", "--quiet", "-o", "-"}
	read := func(more ...string) *profile.Profile {
		p, err := profile.Read(strings.NewReader(must(t, append(words, more...)...)))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a, b, other := read(), read(), read("--from", "paper")
	if a.Name != b.Name || a.Name == other.Name || !strings.HasPrefix(a.Name, "animals-") {
		t.Errorf("names are %s, %s and %s", a.Name, b.Name, other.Name)
	}
}

func TestTuneMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		words []string
		want  string
		code  int
	}{
		{nil, "no set is named", exitUsage},
		{[]string{"--set", "demo", "--folds", "1"}, "two or more", exitUsage},
		{[]string{"--set", "demo", "--queries", "-3"}, "0 takes all", exitUsage},
		{[]string{"--set", "demo", "--passages", "half"}, "unknown way", exitUsage},
		{[]string{"--set", "demo", "--from", filepath.Join(dir, "none.json")}, "there is no profile", exitUsage},
		{[]string{"--set", dir}, "is not a set", exitFailed},
		{[]string{"--set", evalData + "animals", "--folds", "1000"}, "1000 folds of", exitFailed},
		{[]string{"--set", "demo", "-c", filepath.Join(dir, "none")}, "there is no collection", exitFailed},
	} {
		code, _, errs := cli("", append([]string{"tune", "--quiet"}, c.words...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v exits with %d: %s", c.words, code, errs)
		}
	}
}
