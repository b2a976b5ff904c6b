package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/report"
)

const evalData = "../../eval/sets/testdata/"

// evaluated is the form of the JSON.
type evaluated struct {
	Set, Split, Encoder string
	Results             []struct {
		Method, Fusion, Passages string
		MAP100                   float64 `json:"map100"`
		MAP100R                  float64 `json:"map100_R"`
		Seconds                  float64
		Templates                map[string]map[string]any
	}
}

// TestEvalDemo: the demo measured by several methods: the form of the JSON, and that
// logic helps.
func TestEvalDemo(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	out := must(t, "eval", "--set", "demo", "--methods", "baseline,rerank,exact", "--quiet",
		"--json", file("x.json"), "--run", file("x.run"))
	if !strings.Contains(out, "rerank") || !strings.Contains(out, "Printed by: nsfl eval") {
		t.Errorf("printed:\n%s", out)
	}
	if run, err := os.ReadFile(file("x.run")); err != nil || !strings.Contains(string(run), " Q0 ") {
		t.Errorf("x.run: got %.80q, %v, want lines with Q0", run, err)
	}
	data, err := os.ReadFile(file("x.json"))
	if err != nil {
		t.Fatal(err)
	}
	var e evaluated
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	if e.Set != "demo" || e.Split != "dev" || len(e.Results) != 3 || len(e.Results[0].Templates) != 6 {
		t.Fatalf("the figures are %+v", e)
	}
	mean := map[string]float64{}
	for _, r := range e.Results {
		mean[r.Method] = r.MAP100
		sum := 0.0
		for template, cell := range r.Templates {
			for _, name := range []string{"n", "map100", "map100_R", "recall20", "recall100"} {
				if _, ok := cell[name].(float64); !ok {
					t.Errorf("%s, %s has no %s", r.Method, template, name)
				}
			}
			sum += cell["map100"].(float64)
		}
		if d := sum/6 - r.MAP100; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: the mean of the templates is %v, not %v", r.Method, sum/6, r.MAP100)
		}
	}
	if mean["rerank"] < mean["baseline"]+0.03 {
		t.Errorf("rerank has %v, the baseline %v", mean["rerank"], mean["baseline"])
	}
}

// TestEvalEncoders: several encoders are measured one after the other.
func TestEvalEncoders(t *testing.T) {
	needRuntime(t)
	dir := t.TempDir()
	out := must(t, "eval", "--set", evalData+"animals", "--methods", "baseline,rerank", "--quiet", "--json", filepath.Join(dir, "x.json"),
		"--encoder", "builtin", "--encoder", "onnx:../../encoder/onnx/testdata/bge")
	if n := strings.Count(out, "mAP@100 on animals"); n != 2 {
		t.Errorf("%d tables:\n%s", n, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "x-*.json"))
	if err != nil || len(files) != 2 {
		t.Errorf("the files are %v, %v", files, err)
	}
}

// TestEvalTables: every table of the paper has a sub-command.
func TestEvalTables(t *testing.T) {
	for _, table := range report.Tables {
		name := table.Name
		if out := must(t, "eval", name, "--set", evalData+"animals", "--quiet"); len(strings.Split(out, "\n")) < 5 {
			t.Errorf("%s prints\n%s", name, out)
		}
	}
}

// TestEvalSets: the kinds of sets are told apart by their files.
func TestEvalSets(t *testing.T) {
	for _, args := range [][]string{
		{"--set", evalData + "animals", "--split", "test"},
		{"--set", evalData + "quest", "--split", "train"},
		{"--set", evalData + "beir", "--split", "test", "--methods", "baseline"},
	} {
		out := must(t, append([]string{"eval", "--quiet"}, args...)...)
		if !strings.Contains(out, "mAP@100 on") {
			t.Errorf("%v prints\n%s", args, out)
		}
	}
}

// TestEvalSeveralSets: each set has a table, and files of its name.
func TestEvalSeveralSets(t *testing.T) {
	dir := t.TempDir()
	out := must(t, "eval", "--set", evalData+"animals", "--set", evalData+"beir", "--split", "test", "--methods", "baseline", "--quiet", "--json", filepath.Join(dir, "x.json"))
	if n := strings.Count(out, "mAP@100 on"); n != 2 || !strings.Contains(out, "Printed by: nsfl eval --methods baseline --set animals --set beir --split test") {
		t.Errorf("%d tables:\n%s", n, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if want := []string{filepath.Join(dir, "x-animals.json"), filepath.Join(dir, "x-beir.json")}; err != nil || !slices.Equal(files, want) {
		t.Errorf("the files are %v, %v", files, err)
	}
}

func TestEvalOthers(t *testing.T) {
	set := filepath.Join(t.TempDir(), "set")
	out := must(t, "eval", "make", "--corpus", pictures(t), "--out", set, "--queries", "1", "--min-relevant", "1", "--min-removed", "1", "--json")
	var made struct{ Documents, Queries int }
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Documents == 0 || made.Queries == 0 {
		t.Errorf("make: %s, %v", out, err)
	}
	must(t, "eval", "--set", set, "--methods", "baseline,exact", "--quiet")
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "no set is named", []string{"--vectors", t.TempDir()}},
		{exitUsage, "unknown method", []string{"--set", "demo", "--methods", "auto"}},
		{exitUsage, "passages", []string{"--set", "demo", "--passages", "some"}},
		{exitFailed, "is not a set", []string{"--set", t.TempDir()}},
		{exitFailed, "the set has the splits dev, test", []string{"--set", evalData + "animals", "--split", "dve"}},
		{exitUsage, "replaces --encoder", []string{"--set", "demo", "--vectors", "x", "--encoder", "builtin"}},
	} {
		if code, _, errs := cli("", append([]string{"eval", "--quiet"}, c.args...)...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("eval %v: exits with %d and says %q, want %d and %q", c.args, code, errs, c.code, c.want)
		}
	}
}

// pictures writes a corpus of 16 pictures with every combination of four things, and returns
// its file.
func pictures(t *testing.T) string {
	t.Helper()
	things := []string{"dog", "ball", "boat", "tree"}
	var lines strings.Builder
	for p := range 1 << len(things) {
		text, labels := "a picture", []string{}
		for i, name := range things {
			if p>>i&1 == 1 {
				text, labels = text+" with a "+name, append(labels, name)
			}
		}
		line := map[string]any{"_id": fmt.Sprint(p), "passages": []string{text}, "labels": labels}
		if err := json.NewEncoder(&lines).Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestPeers: all methods are measured, under their names, in the form of nsfl eval.
func TestPeers(t *testing.T) {
	var report struct {
		Results []struct {
			Method string              `json:"method"`
			MAP    float64             `json:"map100"`
			Recall float64             `json:"recall20"`
			Leaks  *map[string]float64 `json:"leaks"`
		} `json:"results"`
	}
	out := must(t, "eval", "peers", "--set", evalData+"animals", "--quiet", "--json", "-")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range report.Results {
		names = append(names, r.Method)
		if !(r.MAP > 0 && r.MAP <= 1) || !(r.Recall > 0 && r.Recall <= 1) || r.Leaks == nil {
			t.Errorf("%s has %+v", r.Method, r)
		}
	}
	if !slices.Equal(names, []string{"dense", "dense-passages", "bm25", "rrf", "linear", "boolean", "boolean-ties", "geometric", "paper", "default"}) {
		t.Errorf("the methods are %q", names)
	}
	text := must(t, "eval", "peers", "--set", evalData+"animals", "--set", evalData+"animals", "--quiet")
	for _, want := range []string{"recall@20 on animals", "How often NOT leaks on animals", "mAP@100, means over templates", "boolean-ties"} {
		if !strings.Contains(text, want) {
			t.Errorf("the tables do not say %q", want)
		}
	}
}

// TestMake: queries are drawn over labels and worded as they are asked for.
func TestMake(t *testing.T) {
	set := filepath.Join(t.TempDir(), "made")
	must(t, "eval", "make", "--corpus", evalData+"animals/corpus.jsonl", "--atom", "pictures of {}", "--out", set, "--queries", "1", "--min-relevant", "1", "--min-removed", "1")
	queries, err := os.ReadFile(filepath.Join(set, "queries.dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var first struct{ Formula, Truth string }
	line, _, _ := strings.Cut(string(queries), "\n")
	if err := json.Unmarshal([]byte(line), &first); err != nil || strings.Count(first.Formula, "pictures of ") != 2 || strings.ReplaceAll(first.Formula, "pictures of ", "") != first.Truth {
		t.Errorf("%s: %v", line, err)
	}
	if code, _, errs := cli("", "eval", "make", "--corpus", "nothing.jsonl", "--out", set); code != exitFailed || !strings.Contains(errs, "nothing.jsonl") {
		t.Errorf("no corpus: %d, %s", code, errs)
	}
}

// Without flags the demo is searched as nsfl search does it, and the paper's tables name
// the paper's configuration.
func TestEvalAsSearched(t *testing.T) {
	own, paper := must(t, "eval", "--methods", "exact", "--quiet"), must(t, "eval", "tiers", "--set", "demo", "--methods", "exact", "--quiet")
	if !strings.Contains(own, "profile builtin-3") || !strings.Contains(own, "stored") {
		t.Errorf("without flags:\n%s", own)
	}
	if !strings.Contains(paper, "the paper's configuration") {
		t.Errorf("the paper's table:\n%s", paper)
	}
}
