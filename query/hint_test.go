package query

import (
	"slices"
	"strings"
	"testing"
)

func TestHints(t *testing.T) {
	long := strings.Repeat("incomprehensible ", 4) + "and cats"
	for text, want := range map[string][]string{
		"dog AND NOT ball":           nil,
		`"black and white" AND film`: nil,
		"dog and not ball":           {`"dog and not ball" is one atom, and "and" in it is text: AND, OR and NOT count in capitals`},
		"dogs without leash OR a or b": {
			`"dogs without leash" is one atom, and "without" in it is text: AND, OR and NOT count in capitals`,
			`"a or b" is one atom, and "or" in it is text: AND, OR and NOT count in capitals`,
		},
		"dog AND year > 2015": {`"year > 2015" is one atom, and ">" in it is text: a condition is written without spaces and with a colon, as in year:>=2015`},
		"dog AND year>=2015":  {`"year>=2015" is one atom, and "year>=2015" in it is text: a condition is written without spaces and with a colon, as in year:>=2015`},
		"dog AND year!=2015 AND kind='film'": {
			`"year!=2015" is one atom, and "year!=2015" in it is text: a condition is written without spaces and with a colon, as in year:>=2015`,
			`"kind='film'" is one atom, and "kind='film'" in it is text: a condition is written without spaces and with a colon, as in year:>=2015`,
		},
		`dog AND kind="film"`:                               {`"kind=" is one atom, and "kind=" in it is text: a condition is written without spaces and with a colon, as in year:>=2015`},
		"a->b AND List<String> AND <b> AND :=":              nil,
		"how is a collection backed up without stopping it": nil,
		"sandals AND notebook":                              nil,
		"thromb* AND M*A*S*H":                               nil,
		"t* AND *itis": {
			`"t*" is one atom, and "t*" in it is text: a * follows two letters or more of a word, as in thromb*`,
			`"*itis" is one atom, and "*itis" in it is text: a * follows two letters or more of a word, as in thromb*`,
		},
		long: {`"` + long[:59] + `…" is one atom, and "and" in it is text: AND, OR and NOT count in capitals`},
	} {
		f, err := ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Hints(f.Root); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
