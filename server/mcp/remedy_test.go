package mcp

import (
	"errors"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

func TestRemedy(t *testing.T) {
	for text, want := range map[string]string{
		"dog AND OR cat":              "dog AND cat",
		"AND dog":                     "dog",
		"dog AND NOT":                 "dog",
		"dog AND year:>=":             "dog",
		"dog) AND cat":                "dog AND cat",
		"(dog OR cat)^2 AND ball":     "(dog OR cat) AND ball",
		"(dog OR cat AND ball":        "(dog OR cat AND ball)",
		"((dog OR cat":                "((dog OR cat))",
		`dog AND "tennis AND ball`:    `dog AND "tennis AND ball"`,
		"dog && cat":                  "dog AND cat",
		"dog || cat":                  "dog OR cat",
		"dog ! cat":                   "dog NOT cat",
		"dog AND year:>= 2015":        "dog AND year:>=2015",
		"dog AND year:!=2015 AND cat": "dog AND NOT year:2015 AND cat",
		"dog OR year:>2015":           "dog AND year:>2015",
		"dog AND (year:1999 OR cat)":  "dog AND (year:1999 AND cat)",
		"5 OF (dog, cat)":             "",
		"dog AND () AND cat":          "",
		"NOT":                         "",
		"":                            "",
		strings.Repeat("x", 9000):     "",
	} {
		_, err := query.ParseFormula(text)
		var e *query.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := remedy(e)
		if mended, ok := strings.CutPrefix(got, "Perhaps: "); ok != (want != "") || mended != want && ok {
			t.Errorf("%s: %q, want %q", text, got, want)
		} else if !ok && !strings.Contains(got, sample) {
			t.Errorf("%s: %q has no example", text, got)
		}
	}
	if _, err := query.ParseFormula(sample); err != nil {
		t.Error(err)
	}
}
