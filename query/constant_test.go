package query

import "testing"

func TestConstant(t *testing.T) {
	for text, want := range map[string]string{
		"a": "", "a AND b": "", "NOT a": "", "a OR NOT b": "",
		"a AND NOT a": "false", "a^2 AND NOT a": "false", "a AND b AND NOT (a AND b)": "false",
		"a OR NOT a": "true", "a OR b OR NOT (a AND b)": "true",
		"(a OR b) AND NOT a AND NOT b":        "false",
		"a b c d e f g h i j k l m AND NOT x": "",
	} {
		f, err := ParseFormula(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if value, ok := Constant(f.Root); ok {
			got = map[bool]string{true: "true", false: "false"}[value]
		}
		if got != want {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
}
