package screening

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
)

// library returns a collection of records about dogs and about ships, in a directory.
func library(t *testing.T, dir string) *nsfl.Collection {
	t.Helper()
	c, err := nsfl.Open(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var docs []nsfl.Document
	for i, text := range []string{
		"The dog barks at the postman", "A terrier is a small dog", "Dogs herd sheep on the farm", "Training a dog to sit", "A puppy is a young dog", "The dog sleeps by the fire",
		"The ship sails at dawn", "A steamer is an old ship", "Ships carry grain to the harbour", "Building a ship of oak", "A yacht is a small ship", "The ship sank in a storm",
	} {
		docs = append(docs, nsfl.Document{ID: fmt.Sprintf("r%02d", i), Title: text, Text: text + "."})
	}
	if err := c.Add(context.Background(), docs...); err != nil {
		t.Fatal(err)
	}
	return c
}

func start(t *testing.T, c *nsfl.Collection, formula string) *Screening {
	t.Helper()
	ctx := context.Background()
	if err := Create(ctx, c.Store(), Settings{Name: "pets", Formula: formula}); err != nil {
		t.Fatal(err)
	}
	return reopen(t, c)
}

func reopen(t *testing.T, c *nsfl.Collection) *Screening {
	t.Helper()
	s, err := Open(context.Background(), c.Searcher(), c.Store(), "pets")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decide(t *testing.T, s *Screening, record string, label Label, person string) {
	t.Helper()
	if _, err := s.Decide(context.Background(), Decision{Record: record, Label: label, Person: person}); err != nil {
		t.Fatal(err)
	}
}

func TestScreening(t *testing.T) {
	c := library(t, t.TempDir())
	s := start(t, c, "ship")
	isShip := func(id string) bool { return id >= "r06" }
	if first := s.Next("ann", false); !isShip(first) {
		t.Errorf("first by the formula: got %s, want a ship", first)
	}
	// The decisions say that dogs are wanted: the model overrules the formula.
	for _, id := range []string{"r00", "r01", "r02", "r03"} {
		decide(t, s, id, Include, "ann")
	}
	for _, id := range []string{"r06", "r07", "r08", "r09"} {
		decide(t, s, id, Exclude, "ann")
	}
	if shown, err := s.Show(context.Background(), "r04", false); err != nil || slices.Contains(shown.Terms, "is") || !slices.Contains(shown.Terms, "dog") {
		t.Errorf("got the terms %q, %v, want dog without stop words", shown.Terms, err)
	}
	ranking := s.Ranking()
	if got := slices.Sorted(slices.Values(ranking[:2])); !slices.Equal(got, []string{"r04", "r05"}) {
		t.Errorf("after eight decisions: got %v first, want r04 and r05", ranking)
	}
	shown, err := s.Show(context.Background(), "r05", false)
	if err != nil || shown.ID != "r05" || !strings.Contains(shown.Why, "decisions so far speak for") || !slices.Contains(shown.Terms, "dog") || !slices.Contains(shown.Terms, "ship") {
		t.Errorf("shown: got %+v, %v, want r05 because of the decisions, with dog and ship to highlight", shown, err)
	}
	// A reopened screening has the same ranking.
	if again := reopen(t, c).Ranking(); !slices.Equal(again, ranking) {
		t.Errorf("reopened: got %v, want %v", again, ranking)
	}
	p := s.Progress()
	if p.Included != 4 || p.Excluded != 4 || p.Unread != 4 || p.People["ann"] != 8 || p.Stop.Read != 8 {
		t.Errorf("progress: got %+v", p)
	}
}

// Two people never look at the same record at once.
func TestTwoPeople(t *testing.T) {
	s := start(t, library(t, t.TempDir()), "dog")
	ann, bob := s.Next("ann", false), s.Next("bob", false)
	if ann == bob || ann != s.Next("ann", false) {
		t.Errorf("ann has %s, bob %s, then ann %s", ann, bob, s.Next("ann", false))
	}
	seen := map[string]bool{}
	for range 12 {
		for _, person := range []string{"ann", "bob"} {
			id := s.Next(person, false)
			if id == "" {
				continue
			}
			if seen[id] {
				t.Fatalf("%s was shown twice", id)
			}
			seen[id] = true
			decide(t, s, id, Exclude, person)
		}
	}
	if p := s.Progress(); len(seen) != 12 || p.Unread != 0 || !p.Stop.Reached {
		t.Errorf("got %d records, %+v, want 12 and none unread", len(seen), p)
	}
}

func TestUndo(t *testing.T) {
	c := library(t, t.TempDir())
	s := start(t, c, "dog")
	before := s.Ranking()
	decide(t, s, "r00", Include, "ann")
	decide(t, s, "r06", Exclude, "bob")
	decide(t, s, "r07", Unsure, "ann")
	s.Next("bob", false) // he looks at another one
	d, err := s.Decide(context.Background(), Decision{Label: Undone, Person: "bob"})
	if err != nil || d.Record != "r06" {
		t.Fatalf("bob's undo: got %+v, %v, want r06", d, err)
	}
	if id := s.Next("bob", false); id != "r06" {
		t.Errorf("after the undo bob sees %s, want r06", id)
	}
	decide(t, s, "", Undone, "ann")
	decide(t, s, "", Undone, "ann")
	for _, s := range []*Screening{s, reopen(t, c)} {
		if got := s.Ranking(); !slices.Equal(got, before) || len(s.Decisions(false)) != 0 || len(s.Decisions(true)) != 6 {
			t.Errorf("all undone: got %v and %d of %d decisions, want %v and 0 of 6", got, len(s.Decisions(false)), len(s.Decisions(true)), before)
		}
	}
	if _, err := s.Decide(context.Background(), Decision{Label: Undone, Person: "ann"}); err == nil {
		t.Error("an undo without a decision is no error")
	}
}

// A record that is decided again counts once, with the last label.
func TestChangedMind(t *testing.T) {
	s := start(t, library(t, t.TempDir()), "")
	decide(t, s, "r00", Exclude, "ann")
	decide(t, s, "r01", Exclude, "ann")
	decide(t, s, "r00", Include, "bob")
	if p := s.Progress(); p.Included != 1 || p.Excluded != 1 || p.Stop.Read != 2 {
		t.Errorf("got %+v, want one included and one excluded", p)
	}
	if d := s.Decisions(false); d[0].Record != "r00" || d[0].Person != "bob" {
		t.Errorf("got %+v first, want bob's decision about r00", d[0])
	}
}

func TestBadInput(t *testing.T) {
	c := library(t, t.TempDir())
	s := start(t, c, "dog")
	ctx := context.Background()
	var input *engine.InputError
	for _, d := range []Decision{
		{Record: "r00", Label: "maybe", Person: "ann"}, {Record: "r00", Label: Include}, {Record: "none", Label: Include, Person: "ann"},
		{Record: "r00", Label: Include, Person: "a\nb"}, {Record: "r00", Label: Include, Person: "ann", Reason: strings.Repeat("x", maxReason+1)},
	} {
		if _, err := s.Decide(ctx, d); !errors.As(err, &input) {
			t.Errorf("%+v: got %v, want an input error", d, err)
		}
	}
	for _, name := range []string{"", "Pets", "a:b", strings.Repeat("x", 65)} {
		if err := Create(ctx, c.Store(), Settings{Name: name}); !errors.As(err, &input) {
			t.Errorf("name %q: got %v, want an input error", name, err)
		}
	}
	if err := Create(ctx, c.Store(), Settings{Name: "pets"}); !errors.Is(err, ErrExists) {
		t.Errorf("got %v, want ErrExists", err)
	}
	if _, err := Open(ctx, c.Searcher(), c.Store(), "others"); !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
}

// Duplicates are folded by DOI and by text, and a decision about one is about all.
func TestDuplicates(t *testing.T) {
	c := library(t, t.TempDir())
	long := strings.Repeat("the quick brown fox jumps over lazy dogs and other animals of the wood ", 3) + "until a hunter comes along with seven hounds on a cold winter morning in the mountains near the river where nobody lives"
	add := func(id, title, text, doi string) {
		metadata, err := json.Marshal(map[string]string{"doi": doi})
		if err == nil {
			err = c.Add(context.Background(), nsfl.Document{ID: id, Title: title, Text: text, Metadata: metadata})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("x1", "On foxes", long, "10.1000/ABC")
	add("x2", "Fox studies", "Another abstract.", "https://doi.org/10.1000/abc")
	add("x3", "On Foxes.", long+" still", "")
	add("x4", "On foxes", "A different paper of the same title.", "")
	s := start(t, c, "fox")
	if p := s.Progress(); p.Records != 16 || p.DuplicateDOI != 1 || p.DuplicateText != 1 || p.Unread != 14 {
		t.Errorf("got %+v, want 16 records, one duplicate by DOI and one by text", p)
	}
	decide(t, s, "x3", Include, "ann")
	if d := s.Decisions(false); len(d) != 1 || d[0].Record != "x1" {
		t.Errorf("got %+v, want a decision about x1", d)
	}
	// x1 is stored again, after x2, which stands for both from now on.
	add("x1", "On foxes", long, "10.1000/ABC")
	if s = reopen(t, c); s.folded["x1"] != "x2" {
		t.Fatalf("x1 stands for itself: %v", s.folded)
	}
	if d := s.Decisions(false); len(d) != 1 || d[0].Record != "x2" || d[0].Label != Include {
		t.Errorf("after x1 was stored again: got %+v, want the decision about x2", d)
	}
	if err := s.WriteCSV(context.Background(), io.Discard); err != nil {
		t.Error(err)
	}
	if _, err := s.Decide(context.Background(), Decision{Record: "x1", Label: Undone, Person: "ann"}); err != nil || len(s.Decisions(false)) != 0 {
		t.Errorf("undone: got %v, %+v", err, s.Decisions(false))
	}
}

const childEnv = "NSFL_SCREENING_CHILD"

// Every acknowledged decision survives a kill.
func TestKill(t *testing.T) {
	if dir := os.Getenv(childEnv); dir != "" {
		c, err := nsfl.Open(context.Background(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := reopen(t, c)
		for i := 0; ; i++ {
			decide(t, s, fmt.Sprintf("r%02d", i%12), []Label{Include, Exclude, Unsure}[i%3], "ann")
			fmt.Println("decided", i)
		}
	}
	const wanted = 5000
	dir := t.TempDir()
	c := library(t, dir)
	start(t, c, "")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0], "-test.run=^TestKill$")
	child.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	acknowledged := 0
	for lines := bufio.NewScanner(out); acknowledged < wanted && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "decided ") {
			acknowledged++
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if acknowledged < wanted {
		t.Fatalf("the child ended after %d decisions", acknowledged)
	}
	if c, err = nsfl.Open(context.Background(), dir, nil); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	log := reopen(t, c).Decisions(true)
	if len(log) < acknowledged {
		t.Fatalf("got %d decisions, want at least the %d acknowledged ones", len(log), acknowledged)
	}
	for i, d := range log {
		if want := fmt.Sprintf("r%02d", i%12); d.Record != want || d.Label != []Label{Include, Exclude, Unsure}[i%3] {
			t.Fatalf("decision %d: got %+v, want about %s", i, d, want)
		}
	}
	t.Logf("%d decisions acknowledged, %d found after kill -9", acknowledged, len(log))
}
