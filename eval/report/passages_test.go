package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/retrieve"
)

// precisions returns measures of queries of two templates, equally many of each.
func precisions(values ...float64) (out []lab.Measured) {
	for i, v := range values {
		template := "A AND B"
		if i >= len(values)/2 {
			template = "A OR B"
		}
		out = append(out, lab.Measured{Query: &sets.Query{ID: fmt.Sprint(i), Template: template}, AP: v})
	}
	return out
}

// studied returns a study with known means. Without titles, documents do better on one
// template of the first set, and worse on the others.
func studied() Study {
	outcome := func(m retrieve.Mode, how lab.Passages, values ...float64) lab.Outcome {
		return lab.Outcome{Method: m, Passages: how, Queries: precisions(values...)}
	}
	none := lab.Stored.With(lab.TitleNone)
	return Study{
		Columns: []Column{{
			Set: "first", Encoder: "one", Documents: 1000, Outcomes: []lab.Outcome{
				outcome(retrieve.Baseline, lab.Whole, .1, .1, .1, .2, .2, .5),
				outcome(retrieve.Exact, lab.Whole, .1, .2, .3, .2, .3, .7),
				outcome(retrieve.Exact, lab.Stored, .2, .3, .4, .3, .5, .7),
				outcome(retrieve.Exact, none, .1, .3, .2, .4, .6, .9),
			},
		}, {
			Set: "second", Encoder: "one", Documents: 500, Outcomes: []lab.Outcome{
				outcome(retrieve.Exact, none, .1, .1, .1, .1, .1, .1),
				outcome(retrieve.Exact, lab.Stored, .1, .2, .2, .2, .2, .3),
				outcome(retrieve.Exact, lab.Whole, .1, .1, .1, .1, .2, .3),
				outcome(retrieve.Baseline, lab.Whole, .1, .1, .1, .1, .1, .1),
			},
		}},
		Command: "nsfl eval passages", Options: Options{Seed: 3, Resamples: 1000},
	}
}

func TestStudy(t *testing.T) {
	s := studied()
	var text, markdown bytes.Buffer
	if err := s.Passages(&text, Text); err != nil {
		t.Fatal(err)
	}
	golden(t, "passages.txt", text.String())
	if err := s.Passages(&markdown, Markdown); err != nil {
		t.Fatal(err)
	}
	golden(t, "passages.md", markdown.String())
}

// TestStudyFigures checks the figures that the study itself computes, without the intervals.
func TestStudyFigures(t *testing.T) {
	var b bytes.Buffer
	if err := studied().Passages(&b, CSV); err != nil {
		t.Fatal(err)
	}
	gains, differences, _ := strings.Cut(b.String(), "\n\n")
	compare := func(table string, want [][]string) {
		t.Helper()
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows[1:] {
			for k := range row {
				row[k], _, _ = strings.Cut(row[k], " [")
			}
			if got := strings.Join(row, " | "); got != strings.Join(want[i], " | ") {
				t.Errorf("row %d: got %s, want %s", i, got, strings.Join(want[i], " | "))
			}
		}
		if len(rows) != 1+len(want) {
			t.Errorf("got %d rows, want %d", len(rows)-1, len(want))
		}
	}
	compare(gains, [][]string{
		{"whole", "", "+50.0 %", "+50.0 %", "+50.0 %", "0"},
		{"stored", "passage", "+100.0 %", "+100.0 %", "+100.0 %", "3"},
		{"stored", "none", "+108.3 %", "0.0 %", "+54.2 %", "1"},
	})
	compare(differences, [][]string{
		{"whole", "", "-0.1000", "-0.0500", "0", "4"},
		{"stored", "passage", "", "", "0", "0"},
		{"stored", "none", "+0.0167", "-0.1000", "1", "3"},
	})
}

// The error names outcomes that cannot be compared.
func TestStudyRefuses(t *testing.T) {
	s := studied()
	s.Columns[1].Outcomes = s.Columns[1].Outcomes[1:]
	if err := s.Passages(&bytes.Buffer{}, Text); err == nil || !strings.Contains(err.Error(), "second, one has no outcome of stored:none") {
		t.Errorf("missing way: got error %v", err)
	}
	s = studied()
	s.Columns = s.Columns[:1]
	s.Columns[0].Outcomes = s.Columns[0].Outcomes[:2]
	if err := s.Passages(&bytes.Buffer{}, Text); err == nil || !strings.Contains(err.Error(), "no outcome of stored") {
		t.Errorf("nothing to compare with: got error %v", err)
	}
}
