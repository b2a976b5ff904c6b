package milvus

import (
	"strings"
	"testing"
)

// unquoted reads a text in quotes as Milvus does: by its escapes, up to the first quote
// that has no backslash.
func unquoted(text string) (out, rest string, ok bool) {
	meant := map[byte]string{'"': `"`, '\'': "'", '\\': `\`, 'n': "\n", 'r': "\r", 't': "\t"}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return out, text[i+1:], true
		case '\n', '\r':
			return "", "", false
		case '\\':
			if i++; i == len(text) || meant[text[i]] == "" {
				return "", "", false
			}
			out += meant[text[i]]
		default:
			out += text[i : i+1]
		}
	}
	return "", "", false
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", `"`, `\`, `\"`, "a\nb\r\tc", `" or id > 0 or "" == "`, "\x00", "日本", `\u0022`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, rest, ok := unquoted(quote(s))
		if !ok || rest != "" || out != s {
			t.Errorf("%q is quoted as %s, which is %q and then %q", s, quote(s), out, rest)
		}
		if keyable(s) && strings.ContainsAny(s, "\"'\\[]") {
			t.Errorf("%q cannot stand in brackets", s)
		}
	})
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", -5: "-5", 1e15: "1000000000000000", 9007199254740992: "9.007199254740992e+15",
		0.5: "0.5", 1e-7: "1e-07", -1e300: "-1e+300",
	} {
		if got := number(x); got != want {
			t.Errorf("%g is %s, want %s", x, got, want)
		}
	}
}
