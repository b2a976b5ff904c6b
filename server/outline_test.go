package server

import (
	"fmt"
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
