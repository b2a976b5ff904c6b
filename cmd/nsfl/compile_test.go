package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	code, out, errs := cli("", "compile", "dog AND NOT leash year:>=2015", "--json", "--table", "shop.items", "--column", "year=integer", "-k", "3", "--profile", "paper")
	if code != exitOK {
		t.Fatal(errs)
	}
	var got struct {
		Formula, Filter, Target, Statement, Encoder string
		Columns                                     []string
		Settings                                    []struct{ Name, Value string }
		Parameters                                  []struct {
			Name, Type, Of string
			Value          any
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Formula != "dog AND NOT leash" || got.Filter != "year:>=2015" || got.Target != "sql" || strings.Join(got.Columns, " ") != "id score" || len(got.Settings) == 0 {
		t.Errorf("got %+v, want the formula, its filter and the columns id and score", got)
	}
	var types []string
	for _, p := range got.Parameters {
		types = append(types, p.Name+" "+p.Type)
		if v, ok := p.Value.([]any); p.Type == "vector" && (!ok || len(v) != 384) {
			t.Errorf("%s is %v", p.Of, p.Value)
		}
		if !strings.Contains(got.Statement, p.Name+"::"+p.Type) {
			t.Errorf("the statement has no %s", p.Name)
		}
	}
	if want := "$1 vector,$2 vector,$3 vector,$4 integer,$5 vector"; strings.Join(types, ",") != want {
		t.Errorf("the parameters are %v, want %s", types, want)
	}
	if !strings.Contains(got.Statement, `FROM "shop"."items" t`) || !strings.HasSuffix(got.Statement, "LIMIT 3") {
		t.Error(got.Statement)
	}
}

// TestCompileTargets: every target is written, with all documents or a pool, and with the
// values inline.
func TestCompileTargets(t *testing.T) {
	for _, target := range targetNames() {
		for _, more := range [][]string{nil, {"--inline"}, {"--mode", "rerank", "--pool", "union"}} {
			code, out, errs := cli("", append([]string{"compile", "cat AND NOT dog", "--to", target, "--profile", "paper"}, more...)...)
			if code != exitOK || !strings.Contains(out, "cat AND NOT dog") {
				t.Errorf("%s %v exits with %d: %s", target, more, code, errs)
			}
		}
	}
}

func TestCompileRefused(t *testing.T) {
	for wants, args := range map[string][]string{
		"unknown value":           {"dog", "--to", "mongodb"},
		"does not rank":           {"dog", "--mode", "sqo"},
		"nothing to rank by":      {"year:2015"},
		"predicates cannot be ab": {"dog year:2015", "--column", "year=tsvector"},
		"what texts say":          {"dog text:leash"},
		"no name":                 {"dog", "--table", "a\nb"},
		"stands for a document":   {"like:a"},
	} {
		if code, _, errs := cli("", append([]string{"compile"}, args...)...); code == exitOK || !strings.Contains(errs, wants) {
			t.Errorf("compile %q exits with %d: %s, want %q", args, code, errs, wants)
		}
	}
}
