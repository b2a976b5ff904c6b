package strategy

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

// formulaOf returns the formula of a strategy.
func formulaOf(lines []Line) query.Node { return lines[len(lines)-1].Node }

var update = flag.Bool("update", false, "rewrite the golden files")

// examples illustrate the syntax of the databases in strategies as they are usually written. They
// were written from memory to cover the constructs: none is a quotation of a published strategy.
var examples = map[string]string{
	"trials-sensitive.ovid":   "a sensitive filter for trials: publication types, line ranges, NOT of check tags",
	"trials-sensitive.pubmed": "the same for PubMed: field tags and NOT of headings",
	"trials-precise.ovid":     "a precise filter for trials",
	"therapy-broad.pubmed":    "a broad filter for studies of therapy, one query",
	"therapy-narrow.pubmed":   "a narrow filter for studies of therapy, one query",
	"diagnosis-broad.pubmed":  "a broad filter for studies of diagnosis, one query",
	"reviews.ovid":            "a filter for reviews",
	"trials-long.ovid":        "a long filter for trials: exploded headings and truncation",
	"reviews-long.ovid":       "a long filter for reviews",
	"stroke.ovid":             "a strategy about stroke: subheadings, adjacency, exploded headings",
	"trials-groups.ovid":      "a filter for trials: adjacency of groups and long NOT",
}

// TestExamples imports the examples and exports them. What is lost is in the
// golden files. A text that was exported without a loss is imported as the same formula.
func TestExamples(t *testing.T) {
	same := map[string]int{}
	for name := range examples {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := Import(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			formula := formulaOf(s)
			fmt.Fprintln(&b, formula)
			for _, line := range s {
				for _, lost := range line.Lost {
					fmt.Fprintf(&b, "  line %d lost: %s\n", line.Number, lost)
				}
			}
			if again, err := query.Parse(formula.String()); err != nil || !query.Same(again, formula) {
				t.Errorf("%s parses as %v, %v", formula, again, err)
			}
			for _, dialect := range Dialects {
				exported, lost := Export(formula, dialect)
				fmt.Fprintf(&b, "\n%s: %s\n", dialect, exported)
				for _, lost := range lost {
					fmt.Fprintf(&b, "  lost: %s\n", lost)
				}
				if len(lost) > 0 {
					continue
				}
				back, err := Import(exported)
				if err != nil || !query.Same(formulaOf(back), formula) {
					t.Errorf("%s is imported as %v, %v, want %s", exported, back, err, formula)
				}
				same[dialect]++
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
				t.Errorf("got\n%s\nwant\n%s (%v)", b.String(), want, err)
			}
		})
	}
	if same["ovid"] < len(examples) || same["pubmed"] < 3 {
		t.Errorf("%v of %d examples are exported without a loss, want more", same, len(examples))
	}
}

func TestImport(t *testing.T) {
	for _, c := range []struct{ text, want, lost string }{
		{`"heart attack"[tiab] AND aspirin[ti]`, `text:"heart attack" AND title:aspirin`, ""},
		{`"rationing healthcare"[tiab:~2]`, `text:(rationing NEAR/3 healthcare)`, ""},
		{"heart attack", `text:"heart attack"`, ""},
		{"aspirin stroke[tiab] OR warfarin", `text:(aspirin stroke OR warfarin)`, "warfarin has no field"},
		{"exp Anemia, Sickle Cell/ and wom#n.mp.", `text:"Sickle Cell Anemia" AND text:wom?n`, "wom#n is carried over as wom?n"},
		{"Stroke/dt, th [Drug Therapy, Therapy]", `text:Stroke`, "searched as words"},
		{"1 aspirin.tw. (1,234)\n2 stroke.ti.\n3 1 and 2\n4 limit 3 to yr=\"2000 -Current\"", `text:aspirin AND title:stroke`, "limit to yr"},
		{"1. a.tw.\n2. b.tw.\n3. c.tw.\n4. and/1-2\n5. 4 not 3", `text:a AND text:b AND NOT text:c`, ""},
		{"(a or b) and c or d.tw.", `text:(a OR b) AND text:c OR text:d`, "AND and OR without parentheses"},
		{"english.la. and stroke.tw.", `text:stroke`, "nothing corresponds to the field la"},
		{"(stroke and english.la.).tw.", `text:stroke`, "la"},
		{"heart next attack", `text:(heart PRE/1 attack)`, ""},
		{"(heart and lung) adj3 attack", `text:heart AND text:lung AND text:attack`, "proximity of formulas"},
		{"Search strategy\nMEDLINE\n1. stroke.tw.\nor apoplexy.tw.", `text:(stroke OR apoplexy)`, "text before line 1"},
		{"stroke.tw. not letter.pt.", `text:stroke`, "NOT letter: it would exclude"},
		{"exp Heart Failure/ and diuretic*.ti,ab.", `text:"Heart Failure" AND text:diuretic*`, "without narrower headings"},
		{"*Stroke/ or (brain adj3 attack*).ti.", `text:Stroke OR title:(brain NEAR/3 attack*)`, "searched as words"},
		{"(heart adj failure).ab. and (old* adj2 people).ti,ab.", `abstract:(heart PRE/1 failure) AND text:(old* NEAR/2 people)`, ""},
		{"colo?r$.mp. and hospital*1.tw.", `text:colo?r* AND text:hospital*`, "hospital*1 is carried over as hospital*"},
		{"stroke[Title] AND aspirin[Title/Abstract] NOT warfarin[ab]", `(title:stroke AND text:aspirin) AND NOT abstract:warfarin`, "read from left to right"},
		{"#1 stroke[ti]\n#2 aspirin[tiab]\n#3 warfarin[tiab]\n#4 #1 AND (#2 OR #3)", `title:stroke AND text:(aspirin OR warfarin)`, ""},
		{"1 a.tw.\n2 b.tw.\n3 c.tw.\n4 or/1,3\n5 2 and 4", `text:b AND text:(a OR c)`, ""},
		{"Database: Ovid MEDLINE\n-----\n1 a.tw. (12)\n2 b.tw.\n3 1 or 2\n4 c.tw.\n5 3 and 4\n*****", `text:(a OR b) AND text:c`, "text before line 1: Database: Ovid MEDLINE"},
		{"1 a.tw.\n2 remove duplicates from 1", `text:a`, "remove duplicates from 1: read as line 1"},
		{"1 a.tw.\n2 1 use ppez\n3 from 2 keep 1-50", `text:a`, "1 use ppez: read as line 1"},
		{`Search: (a[tiab] OR "b"[MeSH Terms:noexp]) AND c[ti] Filters: Humans, English Sort by: Most Recent`, `text:(a OR b) AND title:c`, "Filters: Humans, English Sort by"},
		{"a[tiab] AND hasabstract", `text:a`, "hasabstract: a filter of PubMed"},
		{"t*.tw. or system?.tw.", `text:(t OR system*)`, "t* is carried over as t"},
	} {
		s, err := Import(c.text)
		if err != nil {
			t.Errorf("Import(%q): %v", c.text, err)
			continue
		}
		var lost []string
		for _, line := range s {
			lost = append(lost, line.Lost...)
		}
		// AND within AND is printed with parentheses, which mean nothing.
		got := strings.NewReplacer("(text:a AND text:b)", "text:a AND text:b", "(text:heart AND text:lung)", "text:heart AND text:lung").Replace(formulaOf(s).String())
		if got != c.want || (c.lost == "") != (lost == nil) || !strings.Contains(strings.Join(lost, "\n"), c.lost) {
			t.Errorf("Import(%q): got %s, lost %q; want %s, lost %q", c.text, got, lost, c.want, c.lost)
		}
	}
	for text, want := range map[string]string{
		"": "empty", "(stroke": "never closed", "stroke and": "ends where words", "or stroke": "found or", "1. a.tw.\n2. or/1-5": "no lines 1-5", "stroke)": "found )", ".ti.": "without words",
		strings.Repeat("(", 100) + "a" + strings.Repeat(")", 100): "nested more than 64", strings.Repeat("x", MaxBytes+1): "bytes",
	} {
		if _, err := Import(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Import(%.40q): got %v, want an error with %q", text, err, want)
		}
	}
}

func TestExport(t *testing.T) {
	for _, c := range []struct{ formula, dialect, want, lost string }{
		{`title:(heart OR cardiac) AND aspirin NEAR/5 prevention`, "pubmed", `(heart[ti] OR cardiac[ti]) AND "aspirin prevention"[tiab:~4]`, ""},
		{`title:(heart OR cardiac) AND aspirin NEAR/5 prevention`, "ovid", `(heart or cardiac).ti. and (aspirin adj5 prevention).ti,ab.`, ""},
		{`wom?n AND NOT text:(letter OR comment*)`, "ovid", `wom?n.ti,ab. not (letter or comment*).ti,ab.`, ""},
		{`wom?n`, "pubmed", `wom*[tiab]`, "at the end only"},
		{`heart PRE/3 attack`, "ovid", `(heart adj3 attack).ti,ab.`, "the order"},
		{`dog AND year:>=2015 AND year:<2020`, "pubmed", `dog[tiab] AND 2015:3000[dp] AND 1000:2019[dp]`, "not by meaning"},
		{`text:dog AND mesh:(Heart Failure)`, "ovid", `dog.ti,ab. and exp Heart Failure/`, ""},
		{`text:dog AND mesh:(Heart Failure OR Stroke)`, "pubmed", `dog[tiab] AND ("Heart Failure"[MeSH Terms] OR "Stroke"[MeSH Terms])`, ""},
		{`text:dog AND mesh:("Heart Failure" OR Stroke)`, "ovid", `dog.ti,ab. and (exp Heart Failure/ or exp Stroke/)`, ""},
		{`text:dog AND mesh:(heart NEAR/3 failure)`, "ovid", `dog.ti,ab.`, "headings have no proximity"},
		{`text:dog AND lang:en`, "ovid", `dog.ti,ab.`, "no such field"},
		{`NOT text:dog`, "ovid", ``, "NOT without anything"},
		{`like:x`, "pubmed", ``, "no words"},
		{`2 OF (text:a, text:b, text:c)`, "ovid", `(a.ti,ab. and b.ti,ab.) or (a.ti,ab. and c.ti,ab.) or (b.ti,ab. and c.ti,ab.)`, ""},
		{`text:(heart* NEAR/3 attack)`, "pubmed", `(heart*[tiab] AND attack[tiab])`, "exported as AND"},
	} {
		n, err := query.Parse(c.formula)
		if err != nil {
			t.Fatal(err)
		}
		got, lost := Export(n, c.dialect)
		if got != c.want || (c.lost == "") != (lost == nil) || !strings.Contains(strings.Join(lost, "\n"), c.lost) {
			t.Errorf("Export(%q, %s): got %s, lost %q; want %s, lost %q", c.formula, c.dialect, got, lost, c.want, c.lost)
		}
	}
}

func FuzzImport(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txt")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`"a b"[tiab:~3] OR (exp *X, Y/dt adj3 wom#n$2.ti, ab.) NOT #1`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Import(strings.ToValidUTF8(text, ""))
		if err != nil || formulaOf(s) == nil {
			return
		}
		n := formulaOf(s)
		printed := n.String()
		again, err := query.Parse(printed)
		if err == nil && again.String() != printed {
			t.Fatalf("%q is imported as %q, which prints as %q", text, printed, again)
		}
		for _, dialect := range Dialects {
			Export(n, dialect)
		}
	})
}
