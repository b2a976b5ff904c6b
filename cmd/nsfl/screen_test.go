package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const screenedRIS = `TY  - JOUR
ID  - a
TI  - Virome of healthy pigs
AB  - Faeces of forty pigs were sequenced to find viruses.
AU  - Doe, Jane
DO  - 10.1000/a
PY  - 2014
ER  - 
TY  - JOUR
ID  - b
TI  - Pig viruses by sequencing
AB  - A second database has the first record under another title.
DO  - https://doi.org/10.1000/A
ER  - 
TY  - JOUR
ID  - c
TI  - Wheat yields in dry summers
AB  - Fields were measured for ten years.
N1  - included: 0
ER  - 
TY  - JOUR
ID  - d
TI  - Metagenomics of viruses in cattle
AB  - Sera of cows were sequenced.
ER  - 
`

// A screening from references to an export: keys from standard input, undo, a reason, known
// labels, and what the files have.
func TestScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("refs.ris", []byte(screenedRIS), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, "index", "refs.ris", "-c", "refs", "--quiet")
	if code, _, errs := cli("", "screen", "-c", "refs", "pigs"); code != exitUsage || !strings.Contains(errs, "--formula") {
		t.Errorf("without a formula: got %d and %q, want a usage error that names --formula", code, errs)
	}
	// Two records come first by the formula; the first decision is taken back and made again.
	code, out, errs := cli("e z i rno viruses\nq", "screen", "-c", "refs", "pigs", "--formula", "pigs AND viruses", "--person", "ann")
	if code != exitOK {
		t.Fatalf("got %d: %s", code, errs)
	}
	for _, want := range []string{"Virome of healthy pigs", "best match of pigs AND viruses", "1 included, 0 excluded", "no statement about recall", "of which 1 duplicates by DOI"} {
		if !strings.Contains(out, want) {
			t.Errorf("the session lacks %q:\n%s", want, out)
		}
	}
	if out := must(t, "screen", "-c", "refs", "pigs", "--labels", "included"); !strings.HasPrefix(out, "1 decisions") {
		t.Errorf("labels: got %q, want one decision", out)
	}
	status := must(t, "screen", "-c", "refs", "pigs", "--status")
	for _, want := range []string{"included    1\n", "excluded    2\n", "unread      0\n", "every record has been read"} {
		if !strings.Contains(status, want) {
			t.Errorf("status: got\n%s\nwant %q", status, want)
		}
	}
	must(t, "screen", "-c", "refs", "pigs", "--export", "all.csv", "--export", "in.ris", "--export", "flow.svg", "--export", "appendix.md")
	for file, wants := range map[string][]string{
		"all.csv":     {"a,Virome of healthy pigs,", ",1,include,,ann,", ",0,exclude,no viruses,ann,", ",a\n"},
		"in.ris":      {"TY  - JOUR\nID  - a\nTI  - Virome of healthy pigs\n", "AU  - Doe, Jane\n", "DO  - 10.1000/a\n", "PY  - 2014\n", "N1  - included: 1\nER  - \n"},
		"flow.svg":    {"Records identified (n = 4)", "duplicates by DOI (n = 1)", "no viruses (n = 1)", "Records included (n = 1)"},
		"appendix.md": {"pigs AND viruses", "nsfl-builtin@2", "SHA-256 of the ranking"},
	} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(content), want) {
				t.Errorf("%s lacks %q:\n%s", file, want, content)
			}
		}
	}
	// The export can be read again, with its label.
	must(t, "index", "in.ris", "-c", "again", "--quiet")
	if out := must(t, "search", "-c", "again", "--json", "pigs included:1"); !strings.Contains(out, "Virome of healthy pigs") {
		t.Errorf("got %s, want the included record", out)
	}
	if code, _, errs := cli("", "screen", "-c", "refs", "pigs", "--export", "x.pdf"); code != exitUsage || !strings.Contains(errs, ".svg") {
		t.Errorf("an unknown export: got %d and %q", code, errs)
	}
}

// The label of a duplicate counts, and ids do not depend on the order of a file.
func TestScreenReordered(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(records ...string) {
		if err := os.WriteFile("refs.ris", []byte("TY  - JOUR\n"+strings.Join(records, "ER  - \nTY  - JOUR\n")+"ER  - \n"), 0o666); err != nil {
			t.Fatal(err)
		}
		must(t, "index", "refs.ris", "-c", "refs", "--quiet")
	}
	pigs, copied := "TI  - Virome of pigs\nDO  - 10.1000/a\n", "TI  - Pig viruses\nDO  - 10.1000/A\nN1  - included: 1\n"
	wheat, cattle := "TI  - Wheat yields in dry summers\nAU  - Doe, Jane\n", "TI  - Metagenomics of viruses in cattle\n"
	write(pigs, copied, wheat)
	must(t, "screen", "-c", "refs", "farm", "--formula", "viruses", "--labels", "included")
	if code, out, errs := cli("e", "screen", "-c", "refs", "farm"); code != exitOK || !strings.Contains(out, "Wheat") {
		t.Fatalf("got %d, %s %s, want the one record without a label", code, out, errs)
	}
	write(cattle, wheat, pigs, copied)
	status := must(t, "screen", "-c", "refs", "farm", "--status")
	for _, want := range []string{"included    1\n", "excluded    1\n", "unread      1\n"} {
		if !strings.Contains(status, want) {
			t.Errorf("got\n%s\nwant %q", status, want)
		}
	}
	must(t, "screen", "-c", "refs", "farm", "--export", "all.csv")
	all, err := os.ReadFile("all.csv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(all)) {
		if strings.Contains(line, "Wheat") != strings.Contains(line, ",exclude,") {
			t.Errorf("got %s, want only the wheat excluded", line)
		}
	}
}

// Simulated screenings of a small labelled set.
func TestEvalScreening(t *testing.T) {
	file := filepath.Join(t.TempDir(), "set.csv")
	rows := "title,abstract,included\n"
	for i, animal := range []string{"dog", "puppy", "hound", "terrier", "beagle", "ship", "boat", "yacht", "steamer", "ferry", "wheat", "oats", "barley", "rye", "maize", "rice"} {
		label := "0"
		if i < 5 {
			label = "1"
		}
		rows += "The " + animal + ",A study of one " + animal + " and of another " + animal + "," + label + "\n"
	}
	if err := os.WriteFile(file, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	out := must(t, "eval", "screening", "--set", file, "--formula", "dogs", "--seeds", "2", "--runs", "2", "--quiet")
	for _, want := range []string{"16 records, 5 included, 2 seeds", "nsfl, with the formula", "WSS@95", "below 95 % recall in "} {
		if !strings.Contains(out, want) {
			t.Errorf("got\n%s\nwant %q", out, want)
		}
	}
	if err := os.WriteFile(file, []byte("title,abstract\na,b\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := cli("", "eval", "screening", "--set", file); code != exitFailed || !strings.Contains(errs, "included") {
		t.Errorf("without labels: got %d and %q, want an error that names the column", code, errs)
	}
	if code, _, errs := cli("", "eval", "screening", "--set", file, "--seeds", "0"); code != exitUsage {
		t.Errorf("no seeds: got %d and %q, want a usage error", code, errs)
	}
}
