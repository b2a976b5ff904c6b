package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestEvalPassages: the study has the figures of nsfl eval on the same set.
func TestEvalPassages(t *testing.T) {
	out := must(t, "eval", "passages", "--set", "demo", "--every", "4", "--passages", "whole,stored", "--titles", "none,passage", "--format", "csv", "--quiet")
	gains, differences, two := strings.Cut(out, "\n\n")
	if !two {
		t.Fatalf("there is one table:\n%s", out)
	}
	got := firstColumn(t, gains)
	for _, key := range []string{"whole ", "stored none", "stored passage"} {
		if got[key] == "" {
			t.Errorf("there is no row %q:\n%s", key, gains)
		}
	}
	if len(got) != 3 || firstColumn(t, differences)["stored passage"] != "" {
		t.Errorf("printed:\n%s", out)
	}
	// The same by hand, of all queries.
	var e evaluated
	if err := json.Unmarshal([]byte(must(t, "eval", "--set", "demo", "--methods", "baseline,exact", "--passages", "whole,stored", "--profile", "paper", "--json", "-", "--quiet")), &e); err != nil {
		t.Fatal(err)
	}
	mean := map[string]float64{}
	for _, r := range e.Results {
		mean[r.Method+" "+r.Passages] = r.MAP100
	}
	all := firstColumn(t, must(t, "eval", "passages", "--set", "demo", "--passages", "stored", "--titles", "passage", "--format", "csv", "--quiet"))
	want := fmt.Sprintf("%+.1f %%", 100*(mean["exact stored"]/mean["baseline whole"]-1))
	if gain, _, _ := strings.Cut(all["stored passage"], " ["); gain != want {
		t.Errorf("stored gains %q, by the figures of eval %q", gain, want)
	}
}

// firstColumn has what the first set's column says of each way.
func firstColumn(t *testing.T, table string) map[string]string {
	t.Helper()
	table, _, _ = strings.Cut(table, "\n\n")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatalf("%v:\n%s", err, table)
	}
	out := map[string]string{}
	for _, row := range rows[1:] {
		out[row[0]+" "+row[1]] = row[2]
	}
	return out
}

// TestEvalStudySets: several sets are columns of one table, and a part of a set says
// that it is one.
func TestEvalStudySets(t *testing.T) {
	out := must(t, "eval", "passages", "--set", evalData+"animals", "--set", "demo", "--documents", "300", "--passages", "max", "--titles", "none", "--quiet")
	for _, want := range []string{"animals, nsfl-builtin:", "demo, nsfl-builtin: 300 documents", "Printed by: nsfl eval passages --set animals --set demo --documents 300 --passages max --titles none"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
}

func TestEvalStudyErrors(t *testing.T) {
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "no set is named", []string{"passages"}},
		{exitUsage, "unknown way to compare passages \"some\"", []string{"passages", "--set", "demo", "--passages", "some"}},
		{exitUsage, "unknown place for titles \"first\"", []string{"passages", "--set", "demo", "--titles", "first"}},
		{exitUsage, "nothing to compare", []string{"passages", "--set", "demo", "--titles", ""}},
		{exitUsage, "unknown format", []string{"passages", "--set", "demo", "--format", "docx"}},
		{exitFailed, "-1 documents", []string{"passages", "--set", "demo", "--documents", "-1"}},
		{exitFailed, "the set has the splits", []string{"passages", "--set", evalData + "animals", "--split", "dve"}},
		{exitUsage, "flags only", []string{"passages", "demo"}},
	} {
		if code, _, errs := cli("", append(append([]string{"eval"}, c.args...), "--quiet")...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("eval %v: exits with %d and says %q, want %d and %q", c.args, code, errs, c.code, c.want)
		}
	}
}
