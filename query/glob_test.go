package query

import "testing"

func TestGlob(t *testing.T) {
	for text, want := range map[string]Predicate{
		"path:man/*":      {Field: "path", Op: Glob, Value: "man/*"},
		"path:*.pdf":      {Field: "path", Op: Glob, Value: "*.pdf"},
		"path:/man/*/a*b": {Field: "path", Op: Glob, Value: "/man/*/a*b"},
		"path:*":          {Field: "path", Op: Glob, Value: "*"},
		"path:==a*":       {Field: "path", Op: Glob, Value: "=a*"},
		`path:"man/*"`:    {Field: "path", Value: "man/*"},
		`path:=“a*”`:      {Field: "path", Value: "a*"},
		"path:<a*":        {Field: "path", Op: Less, Value: "a*"},
		"text:man*":       {Field: "text", Value: "man*"},
	} {
		t.Run(text, func(t *testing.T) {
			n, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if !Same(n, &want) {
				t.Errorf("got %#v, want %#v", n, want)
			}
			again, err := Parse(n.String())
			if err != nil || !Same(again, n) {
				t.Errorf("%s parses to %v, %v, want the same", n, again, err)
			}
		})
	}
}

func TestGlobPrinted(t *testing.T) {
	for _, text := range []string{"socket AND path:man/* AND type:man", "NOT path:*.pdf", "path:a* OR path:*b", `2 OF (path:a*, b, "c, d")`} {
		n, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.String(); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
}

func TestForSQL(t *testing.T) {
	p := &Predicate{Field: "path", Op: Glob, Value: `a_b\*%`}
	if got, want := p.ForSQL().Value, `a\_b\\%\%`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
