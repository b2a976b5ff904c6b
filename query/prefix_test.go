package query

import (
	"errors"
	"strings"
	"testing"
)

func TestPrefix(t *testing.T) {
	for _, test := range []struct{ text, want, full string }{
		{"path:man/*", "path:man/*", `path:>=man/ AND path:<man0`},
		{"socket path:man/* type:man", "socket AND path:man/* AND type:man", ""},
		{"NOT path:man/*", "NOT path:man/*", ""},
		{"path:a* OR path:b*", "path:a* OR path:b*", ""},
		{"x AND (path:>=man/ AND path:<man0)", "x AND (path:>=man/ AND path:<man0)", ""},
		{`path:"man/*"`, `path:"man/*"`, ""},
		{"text:man*", "text:man*", ""},
		{"path:é*", "path:é*", "path:>=é AND path:<ê"},
		{`path:"*.go" AND path:"a*b"`, `path:"*.go" AND path:"a*b"`, ""},
		{"path:>=a AND path:<c", "path:>=a AND path:<c", ""},
	} {
		t.Run(test.text, func(t *testing.T) {
			n, err := Parse(test.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := n.String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			again, err := Parse(n.String())
			if err != nil || !Same(again, n) {
				t.Errorf("%s parses to %v, %v, want the same", n, again, err)
			}
			if test.full != "" {
				if full, err := Parse(test.full); err != nil || !Same(full, n) {
					t.Errorf("got %v, want what %s is", n, test.full)
				}
			}
		})
	}
}

func TestGlob(t *testing.T) {
	for _, text := range []string{"path:*", "path:*.go", "x path:man/*/a*", "path:a*b", "path:**"} {
		_, err := Parse(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Msg, "may only end a value") {
			t.Errorf("%s: got %v, want an error that says where * may stand", text, err)
		}
	}
}
