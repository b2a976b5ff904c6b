package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cli runs a command line.
func cli(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestPlan(t *testing.T) {
	code, out, errs := cli("", "plan", "dog AND NOT leash year:>=2015")
	want := `formula     dog AND NOT leash
filter      year:>=2015
encode      dog
            leash
            dog AND leash
            dog AND NOT leash   (monolithic: what plain search would use)
`
	if code != 0 || out != want || errs != "" {
		t.Errorf("code %d, stderr %q, stdout\n%s\nwant\n%s", code, errs, out, want)
	}
	_, out, _ = cli("", "plan", "--fusion", "contextual", "--json", "--nl", "X that are also Y but not Z")
	var p planned
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatal(err)
	}
	if p.Formula != "X AND Y AND NOT Z" || p.Monolithic != "X that are also Y but not Z" || len(p.Strings) != 6 || len(p.Understood) != 2 {
		t.Errorf("plan as JSON: %s", out)
	}
}

func TestScoreExample(t *testing.T) {
	code, out, errs := cli("", "score", "--json", "--explain")
	if code != 0 || errs != "" {
		t.Fatalf("code %d: %s", code, errs)
	}
	var got struct {
		Formula string
		Results []scored
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	// Plain search puts the laptops first; the calculus puts them last.
	for _, d := range got.Results {
		if laptop := strings.Contains(d.ID, "laptop"); laptop != (d.Rank > 5) || laptop != (d.Baseline <= 5) {
			t.Errorf("%q has rank %d, by plain search %d", d.ID, d.Rank, d.Baseline)
		}
	}
	if code, out, _ := cli("", "score"); code != 0 || !strings.Contains(out, "  1  +0.556  ████████████████████  a cat staring up at a television   plain search: 7") {
		t.Errorf("the table:\n%s", out)
	}
}

func TestScoreOwnSimilarities(t *testing.T) {
	// The paper's table of deltas.
	lines := `{"id": "picture", "similarities": {"dog": 0.35, "giraffe": 0.20, "dog AND giraffe": 0.27}}`
	code, out, errs := cli(lines, "score", "dog AND giraffe", "-")
	if code != 0 || !strings.Contains(out, "+0.190") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	_, out, _ = cli(lines, "score", "--gate", "off", "dog AND NOT giraffe", "-")
	if !strings.Contains(out, "+0.430") {
		t.Errorf("ungated NOT:\n%s", out)
	}
	_, out, _ = cli(lines, "score", "--c-and", "0", "dog AND giraffe", "-")
	if !strings.Contains(out, "+0.270") {
		t.Errorf("AND with c = 0:\n%s", out)
	}
	path := filepath.Join(t.TempDir(), "similarities.jsonl")
	if err := os.WriteFile(path, []byte(lines+"\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := cli("", "score", "--explain", "dog AND giraffe", path); code != 0 || !strings.Contains(out, "the weaker part is missing") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
}

func TestEncode(t *testing.T) {
	code, out, errs := cli("", "encode", "--json", "a dog", "a puppy", "tax law", strings.Repeat("dog ", 400))
	if code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	var got struct {
		Encoder struct{ Dimension int }
		Vectors [][]float32
		Cut     []bool
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Vectors) != 4 || len(got.Vectors[0]) != got.Encoder.Dimension || got.Cut[0] || !got.Cut[3] {
		t.Errorf("%d vectors, cut %v", len(got.Vectors), got.Cut)
	}
	_, out, _ = cli("", "encode", "a dog", "a puppy", "tax law")
	if lines := strings.Split(out, "\n"); len(lines) != 4 || !strings.Contains(lines[0], " 1.000  0.7") {
		t.Errorf("cosines:\n%s", out)
	}
}

func TestMistakes(t *testing.T) {
	line := `{"id": "x", "similarities": {"dog": 0.35}}`
	for _, c := range []struct {
		args  []string
		stdin string
		code  int
		want  string
	}{
		{[]string{"plan", "dog AND"}, "", exitUsage, "dog AND\n         ^"},
		{[]string{"plan"}, "", exitUsage, "plan takes a formula"},
		{[]string{"plan", "dog OR cat", "AND", "ball"}, "", exitUsage, `quotes of "dog OR cat"`},
		{[]string{"plan", "dog", "-ball"}, "", exitUsage, "begins with a dash write --"},
		{[]string{"plan", "--fusion", "fancy", "dog"}, "", exitUsage, "simple, contextual, centroid"},
		{[]string{"plan", "--frobnicate"}, "", exitUsage, "plan has no flag --frobnicate. See nsfl help plan"},
		{[]string{"frobnicate"}, "", exitUsage, `no command "frobnicate"; nsfl help`},
		{[]string{"encode"}, "", exitUsage, "one text or more"},
		{[]string{"score", "dog"}, "", exitUsage, "nsfl plan"},
		{[]string{"score", "dog AND cat", "-"}, line, exitFailed, `no similarity to "cat"`},
		{[]string{"score", "dog", "-"}, "", exitFailed, "no similarities to score"},
		{[]string{"score", "dog", "-"}, "dog 0.3", exitFailed, "line 1 is not"},
		{[]string{"score", "dog", "-"}, `{"similarities": {"dog": 35}}`, exitFailed, "between -1 and 1"},
		{[]string{"score", "dog", "/does/not/exist"}, "", exitFailed, "no such file"},
		{[]string{"score", "--gate", "maybe"}, "", exitUsage, "pool, off, or a bound"},
		{[]string{"score", "--gate", "7"}, "", exitUsage, "at most 1"},
		{[]string{"score", "year:3", "-"}, line, exitUsage, "no atom to rank by"},
	} {
		code, out, errs := cli(c.stdin, c.args...)
		if code != c.code || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("nsfl %q: code %d, stdout %q, stderr %q; want code %d and %q", c.args, code, out, errs, c.code, c.want)
		}
	}
}

// FuzzSimilarities feeds score with bytes from outside.
func FuzzSimilarities(f *testing.F) {
	f.Add(`{"id": "x", "similarities": {"dog": 0.35, "cat": 0.1, "dog AND cat": 0.2}}`)
	f.Add("{}\n[]")
	f.Fuzz(func(t *testing.T, lines string) {
		if code, _, errs := cli(lines, "score", "--explain", "dog AND NOT cat", "-"); code != exitOK && errs == "" {
			t.Errorf("code %d without a word", code)
		}
	})
}

func TestPlainFlag(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "dogs AND NOT leashes"},
		{"--nl off", "dogs without leashes"},
		{"--nl=off", "dogs without leashes"},
		{"--nl auto", "dogs AND NOT leashes"},
		{"--nl", "dogs AND NOT leashes"},
	} {
		args := append(append([]string{"plan"}, strings.Fields(c.args)...), "dogs without leashes")
		if code, out, errs := cli("", args...); code != 0 || !strings.Contains(out, "formula     "+c.want+"\n") {
			t.Errorf("%s: code %d, %s%s", args, code, out, errs)
		}
	}
	if code, _, errs := cli("", "plan", "--nl", "llm", "dogs"); code != 1 || !strings.Contains(errs, "no chat endpoint") {
		t.Errorf("llm: code %d, %s", code, errs)
	}
}
