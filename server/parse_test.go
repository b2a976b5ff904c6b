package server

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

func TestOutline(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"dog", "atom dog"},
		{"dog -leash", "atom dog | NOT atom leash"},
		{`dog^2 AND "red car" AND NOT like:photo-1^0.5`, "atom dog ^2 | atom red car | NOT like photo-1 ^0.5"},
		{`(beach OR lake) sunset year:>=2015 -lang:en`, "any of (atom beach, atom lake) | atom sunset | predicate year:>=2015 | NOT predicate lang:en"},
		{"NOT (big OR brown)", "NOT any of (atom big, atom brown)"},
		{"a OR NOT b", "any of (atom a, NOT atom b)"},
		{"a AND (b AND NOT c)", "atom a | atom b | NOT atom c"},
		{`"year:2015" AND "AND"`, `atom year:2015 | atom AND`},
		{`2 OF (a, "b, c", NOT d) AND NOT example:"long text"`, "2 of (atom a, atom b, c, NOT atom d) | NOT example long text"},
		{"2 OF (a, b OR c, d)", ""},
		{"a OR b AND c", ""},
		{"a AND (b OR (c OR d))", ""},
		{"NOT NOT a", ""},
		{"NOT (a AND b)", ""},
	} {
		n, err := query.Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := outlined(outlineOf(n), " | "); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
	}
}

// The parts say all that the formula does: written again they are the same formula.
func FuzzOutline(f *testing.F) {
	for _, text := range []string{`dog^2 -leash "a b" year:>=2015`, `NOT (a OR b) AND 2 OF (c, "d, e", NOT like:"x y")`, `a AND (b AND NOT c)`, `example:"x \"y\"" OR image:z`, `2 OF (like:"a,b", c)`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := query.Parse(text)
		if err != nil {
			return
		}
		if _, err := query.Normalize(n); err != nil { // nothing is shown of it
			return
		}
		parts := outlineOf(n)
		if parts == nil {
			return
		}
		again, err := query.Parse(rewritten(parts, " AND "))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := outlineOf(again); !reflect.DeepEqual(got, parts) {
			t.Fatalf("%q: %v, written again %v", text, parts, got)
		}
	})
}

// rewritten joins parts to a formula, as a client does.
func rewritten(parts []Part, between string) string {
	var out []string
	for _, p := range parts {
		text := p.Text
		switch {
		case p.Kind == "group" && p.Least > 0:
			text = fmt.Sprintf("%d OF (%s)", p.Least, rewritten(p.Parts, ", "))
		case p.Kind == "group":
			text = "(" + rewritten(p.Parts, " OR ") + ")"
		case between == ", " && strings.Contains(text, ",") && !strings.HasSuffix(text, `"`):
			prefix, _ := strings.CutSuffix(text, p.Name)
			text = prefix + `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.Name) + `"`
		}
		if p.Weight != 0 {
			text += fmt.Sprintf("^%v", p.Weight)
		}
		if p.Negated {
			text = "NOT " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, between)
}

func outlined(parts []Part, between string) string {
	var out []string
	for _, p := range parts {
		text := p.Kind + " " + p.Name
		switch p.Kind {
		case "group":
			text = "any of (" + outlined(p.Parts, ", ") + ")"
			if p.Least > 0 {
				text = fmt.Sprintf("%d of (%s)", p.Least, outlined(p.Parts, ", "))
			}
		case "predicate":
			text = p.Kind + " " + p.Text
		}
		if p.Weight != 0 {
			text += fmt.Sprintf(" ^%v", p.Weight)
		}
		if p.Negated {
			text = "NOT " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, between)
}
