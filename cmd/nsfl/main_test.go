package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// cli runs a command line.
func cli(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"vector", "dog AND"}, "dog AND\n         ^"},
		{[]string{"vector"}, "vector takes a formula"},
		{[]string{"vector", "dog OR cat", "AND", "ball"}, `quotes of "dog OR cat"`},
		{[]string{"vector", "dog", "-ball"}, "begins with a dash write --"},
		{[]string{"eval", "--fusion", "fancy"}, "simple, contextual, centroid"},
		{[]string{"vector", "--frobnicate"}, "vector has no flag --frobnicate. See nsfl help vector"},
		{[]string{"frobnicate"}, `no command "frobnicate"; nsfl help`},
		{[]string{"compile", "--gate", "maybe", "dog"}, "pool, off, or a bound"},
		{[]string{"compile", "--gate", "7", "dog"}, "at most 1"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, out, errs := cli("", c.args...)
			if code != exitUsage || !strings.Contains(errs, c.want) || out != "" {
				t.Errorf("got code %d, stdout %q, stderr %q, want code %d and %q", code, out, errs, exitUsage, c.want)
			}
		})
	}
}

func TestPlainFlag(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "dogs AND NOT leashes"},
		{"--nl off", "dogs without leashes"},
		{"--nl=off", "dogs without leashes"},
		{"--nl auto", "dogs AND NOT leashes"},
		{"--nl rules", "dogs AND NOT leashes"},
	} {
		args := append(append([]string{"search", "--demo", "-k", "1"}, strings.Fields(c.args)...), "dogs without leashes")
		code, out, errs := cli("", args...)
		first, _, _ := strings.Cut(strings.TrimPrefix(out, "read as: "), "\n")
		if code != exitOK || strings.TrimSuffix(first, "  (--nl off: as it is written)") != c.want {
			t.Errorf("%s: got code %d, %s%s, want %s", args, code, out, errs, c.want)
		}
	}
	if code, _, errs := cli("", "search", "--demo", "--nl", "llm", "dogs"); code != 1 || !strings.Contains(errs, "no chat endpoint") {
		t.Errorf("llm: code %d, %s", code, errs)
	}
}
