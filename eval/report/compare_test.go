package report

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/eval/stats"
	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/retrieve"
)

// TestFigures compares with the figures of the fixture's rankings, computed by hand.
func TestFigures(t *testing.T) {
	r := newReport(t)
	if got := strings.Join(r.Templates, "; "); got != "A AND B; A AND NOT B; A OR B OR C; odd <i>template</i>" {
		t.Fatalf("got templates %s", got)
	}
	for i, want := range [][]float64{
		// q3 at 1, 3 and q4 at 1, 2; q1 at 2, 4 and q2 at 2; q5 all; q6 at 4, 5, 6
		{((1+2.0/3)/2 + 1) / 2, 0.5, 1, (1.0/4 + 2.0/5 + 3.0/6) / 3},
		// q3 at 1, 2 and q4 at 2, 3; the others perfect
		{(1 + (1.0/2+2.0/3)/2) / 2, 1, 1, 1},
		// q3 at 2, 4 and q4 at 5, 6; q1 perfect and q2 at 2; q5 all; q6 one of three, at 3
		{((1.0/2+2.0/4)/2 + (1.0/5+2.0/6)/2) / 2, 0.75, 1, 1.0 / 3 / 3},
	} {
		sum := 0.0
		for k, c := range r.Rows[i].Cells {
			sum += want[k]
			if math.Abs(c.MAP-want[k]) > 1e-12 || c.Interval.Value != c.MAP {
				t.Errorf("%s, %s: got %v (interval of %v), want %v", name(r.Rows[i].Outcome), c.Template, c.MAP, c.Interval.Value, want[k])
			}
		}
		if row := r.Rows[i]; math.Abs(row.Summary.MAP-sum/4) > 1e-12 || math.Abs(row.MAP.Value-sum/4) > 1e-12 {
			t.Errorf("%s: got mean %v and %v, want %v", name(row.Outcome), row.Summary.MAP, row.MAP.Value, sum/4)
		}
	}
	if r.Rows[0].Gain != nil || r.Rows[0].Cells[0].Against != nil {
		t.Error("a baseline was compared with itself")
	}
	if r.Counts.Cells != 12 {
		t.Errorf("got %d comparisons, want 3 methods by 4 templates", r.Counts.Cells)
	}
}

// The report matches eval/stats, using the baseline of the same fusion and not the other
// one.
func TestStatistics(t *testing.T) {
	r := newReport(t)
	b := stats.Bootstrap{Seed: 7, Resamples: 2000}
	base, baseAll := values(r.Rows[3].Outcome)
	ap, all := values(r.Rows[4].Outcome)
	equal := func(what string, got, want any, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v as by eval/stats, error %v", what, got, want, err)
		}
	}
	strata := []string{"not", "not", "and", "and", "or", "odd"}
	row := &r.Rows[4]
	gain, err := b.RelativeGain(base, ap, strata)
	gain.Warnings, row.Gain.Warnings = nil, nil // they name the strata
	equal("gain", row.Gain, gain, err)
	for k, own := range map[int][]int{0: {2, 3}, 1: {0, 1}, 3: {5}} {
		a := row.Cells[k].Against
		difference, err := b.Difference(pick(base, own), pick(ap, own), nil)
		equal("difference", a.Difference, *difference, err)
		test, err := stats.Wilcoxon(pick(base, own), pick(ap, own))
		equal("test", a.Test, *test, err)
		test, err = stats.Wilcoxon(pick(baseAll, own), pick(all, own))
		equal("test with R", a.TestAll, *test, err)
	}
	var p, adjusted []float64
	for _, row := range r.Rows {
		for _, c := range row.Cells {
			if c.Against != nil {
				p, adjusted = append(p, c.Against.Test.P), append(adjusted, c.Against.Adjusted)
			}
		}
	}
	holm, err := stats.Holm(p)
	equal("Holm", adjusted, holm, err)
}

// Thirty queries that all gain are significant before and after the correction; thirty that
// all lose count as worse.
func TestCounts(t *testing.T) {
	set := animals(t)
	var good, bad, plain lab.Outcome
	good.Method, bad.Method, plain.Method = retrieve.Rerank, retrieve.SQO, retrieve.Baseline
	for i := range 30 {
		q := set.Queries[0]
		q.ID = strings.Repeat("x", i+1)
		at := func(ap float64) lab.Measured { return lab.Measured{Query: &q, AP: ap, APAll: ap} }
		plain.Queries = append(plain.Queries, at(0.5))
		good.Queries = append(good.Queries, at(0.6+float64(i)/100))
		bad.Queries = append(bad.Queries, at(0.4-float64(i)/100))
	}
	r, err := New(Meta{}, []lab.Outcome{plain, good, bad}, Options{Resamples: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Counts{Cells: 2, P01: 2, P05: 2, Holm01: 2, Holm05: 2, Worse01: 1}); r.Counts != want {
		t.Errorf("got %+v, want %+v", r.Counts, want)
	}
}

// A baseline without a hit has no relative gain; the report adds a warning and continues.
func TestNoGain(t *testing.T) {
	set := animals(t)
	none := []string{"2", "1", "1", "1", "", "1"}
	r, err := New(Meta{}, []lab.Outcome{
		outcome(t, set, retrieve.Baseline, fusion.Simple, none...),
		outcome(t, set, retrieve.Rerank, fusion.Simple, "162345", "461235", "361245", "123456", "123456", "236145"),
	}, Options{Resamples: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rows[1].Gain != nil || !math.IsNaN(r.Rows[1].Cells[0].Against.Gain) || !strings.Contains(strings.Join(r.Warnings, "\n"), "over 0") {
		t.Errorf("got gain %v, warnings %q", r.Rows[1].Gain, r.Warnings)
	}
	for _, write := range []func(*strings.Builder) error{
		func(w *strings.Builder) error { return r.JSON(w) },
		func(w *strings.Builder) error { return r.Table(w, "main") },
	} {
		var w strings.Builder
		if err := write(&w); err != nil || strings.Contains(w.String()[:200], "NaN") {
			t.Error(err, w.String()[:200])
		}
	}
}

func TestRefused(t *testing.T) {
	set := animals(t)
	all := outcomes(t, set)
	short, other := all[1], all[1]
	short.Queries = short.Queries[:3]
	other.Queries = append(other.Queries[1:2:2], other.Queries[0])
	other.Queries = append(other.Queries, all[1].Queries[2:]...)
	for want, outcomes := range map[string][]lab.Outcome{
		"no outcomes":     nil,
		"two outcomes of": {all[0], all[0]},
		"rerank, simple, whole has different queries than baseline": {all[0], short},
		"has different queries": {all[0], other},
		"without queries":       {{}},
	} {
		if _, err := New(Meta{}, outcomes, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	if _, err := New(Meta{}, all, Options{Resamples: -1}); err == nil {
		t.Error("a negative number of resamples was accepted")
	}
}

func TestObserveRefused(t *testing.T) {
	c := columnsOf(t, animals(t), 0, [][]float32{make([]float32, 6), make([]float32, 6), make([]float32, 6), make([]float32, 6)})
	c.Fusion = "contextual"
	if err := newReport(t).Observe(c); err == nil || !strings.Contains(err.Error(), "but earlier ones used") {
		t.Errorf("got error %v, want one about different conditions", err)
	}
}

// The paper's averages match its cells to three digits, which would reveal a mistyped
// figure.
func TestPublished(t *testing.T) {
	for _, b := range slices.Concat(paper.Main, paper.Templates) {
		for _, p := range b.Rows {
			if m := stats.Mean(p.Cells[:]); math.Abs(m-p.Mean) > 0.0011 {
				t.Errorf("%s, %s: got mean %.4f, want %.3f as printed", b.Encoder, p.Method, m, p.Mean)
			}
		}
	}
	for _, b := range paper.Tests {
		for i, p := range b.Rows {
			if math.Abs(p.Method-p.Base-p.Difference) > 0.0016 || p.Low > p.Difference || p.High < p.Difference {
				t.Errorf("%s, %s: %+v is inconsistent", b.Encoder, sets.Templates[i], p)
			}
		}
	}
}
