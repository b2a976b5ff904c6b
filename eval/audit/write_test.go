package audit

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/stats"
)

var update = flag.Bool("update", false, "write the golden files")

// example has two falls and a rise, and a label that would be harmful as markup or in a
// terminal.
func example() *Audit {
	mean, capped := 8.5, 4.0
	return &Audit{
		Set: "pets", Split: "dev", Encoder: "an encoder", Method: "exact", Fusion: "simple", Passages: "whole", Command: "nsfl audit --set pets",
		Documents: 5000, Queries: 42, Seed: 1, Minimum: Support{MinQueries, MinDocuments},
		Pairs: []Pair{
			{"person", "handbag", Support{23, 210}, 14.2, 9.1, 19.3, 2.5, 1e-6, 3e-6, 3e-6},
			{"dog", "<b>cat</b>|\x1b[31m*x*", Support{9, 44}, 2.8, 0.4, 5.2, 1.1, 0.02, 0.03, 0.04},
			{"dog", "tree", Support{9, 60}, 0.3, -3, 3.6, 1.5, 0.84, 0.84, 0.84},
			{"dog", "sky", Support{9, 80}, -6.2, -8.4, -4, 1, 0.001, 0.004, 0.003},
		},
		Caps: []Capped{
			{Cap: 0, Falls: 2, Rises: 1, Holm: 3, Large: 1, Typical: 6.1, Mean: &mean, MAP: 0.3494},
			{Cap: 0.25, Falls: 1, Rises: 1, Holm: 1, Typical: 3.2, Mean: &capped, Change: &stats.Interval{Value: -4.5, Low: -6, High: -3}, MAP: 0.3475, Cost: &stats.Interval{Value: -0.0019, Low: -0.0039, High: -0.00002}},
		},
		Notes: []string{"1 query of the set could not be audited."},
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats {
		var out bytes.Buffer
		if err := example().Write(&out, f); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "example."+f.String())
		if *update {
			if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if out.String() != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", f, out.String(), want)
		}
		if f != report.JSON && (strings.Contains(out.String(), "\x1b") || f != report.Text && strings.Contains(out.String(), "<b>")) {
			t.Errorf("%s contains an unescaped label", f)
		}
	}
}

// The JSON output contains everything.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := example().Write(&out, report.JSON); err != nil {
		t.Fatal(err)
	}
	var back Audit
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if len(back.Pairs) != 4 || back.Pairs[1] != example().Pairs[1] || !reflect.DeepEqual(back.Caps[1].Cost, example().Caps[1].Cost) {
		t.Errorf("got %+v after reading it back", back)
	}
}

// The text says if there are no findings, or too few data.
func TestVerdicts(t *testing.T) {
	none, small := example(), example()
	none.Pairs, none.Caps = none.Pairs[2:3], []Capped{{MAP: 0.3}}
	small.Pairs, small.Caps = nil, []Capped{{MAP: 0.3}}
	for _, c := range []struct {
		a    *Audit
		want string
		not  string
	}{
		{none, "Of 1 tested pairs of a negated label and another label, 0 fall significantly and 0 rise", "too small"},
		{small, "The set is too small for an answer, which does not mean that there is no effect", "| NOT"},
	} {
		var out bytes.Buffer
		if err := c.a.Write(&out, report.Markdown); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.want) || strings.Contains(out.String(), c.not) {
			t.Errorf("want %q and not %q in:\n%s", c.want, c.not, out.String())
		}
	}
}
