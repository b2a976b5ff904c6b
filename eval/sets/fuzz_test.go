package sets

import (
	"io"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
)

func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a line of 64 MiB")
	}
	long := io.MultiReader(strings.NewReader("short\n"), io.LimitReader(repeated('x'), maxLine+1))
	n := 0
	for l, err := range lines("big", long) {
		if n++; n == 1 && (err != nil || string(l.text) != "short") || n == 2 && (err == nil || !strings.Contains(err.Error(), "big, line 2: the line is longer than 64 MiB")) {
			t.Errorf("line %d: got %v", n, err)
		}
	}
	if n != 2 {
		t.Errorf("got %d lines", n)
	}
}

type repeated byte

func (b repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

func FuzzLogicQuery(f *testing.F) {
	f.Add(`{"_id":"1","template":"A AND B","formula":"a AND b","truth":"a AND NOT (b OR \"c d\")"}`)
	f.Add(`{"_id":"1","template":"A AND NOT B","formula":"a AND NOT b","truth":"a AND NOT b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var r logicQuery
		if (line{"f", 1, []byte(text)}).decode(&r) != nil {
			return
		}
		truth, err := r.check()
		if err != nil {
			return
		}
		corpus := newLabelled()
		labels := map[string]bool{"a": true}
		corpus.add("x", []string{"a"}, func(string) bool { return true })
		if corpus.evaluate(truth).Bit(0) == 1 != holds(truth, labels) {
			t.Errorf("%s is %t for a document with a", r.Truth, !holds(truth, labels))
		}
	})
}

func FuzzQUEST(f *testing.F) {
	f.Add(`{"docs":["x"],"original_query":"<mark>a</mark> that are also <mark>\"b\" OR (c</mark> but not <mark>year:3</mark>"}`)
	f.Add(`{"docs":["x"],"original_query":"<mark>a</mark>","metadata":{"template":"_"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var r questQuery
		if (line{"f", 1, []byte(text)}).decode(&r) != nil {
			return
		}
		q, err := r.query()
		if err != nil {
			return
		}
		n, err := query.Parse(q.Formula)
		if err != nil || TemplateOf(n) != q.Template || len(q.Ideal()) == 0 {
			t.Errorf("%q: got %s of template %q, want %q (%v)", text, q.Formula, TemplateOf(n), q.Template, err)
		}
	})
}

func FuzzDocuments(f *testing.F) {
	f.Add(`{"_id":"x","title":"t","passages":["p"],"labels":["a"],"metadata":{"y":1},"text":"p"}`)
	f.Fuzz(func(t *testing.T, text string) {
		l := line{"f", 1, []byte(text)}
		for _, read := range []func(line) (Document, error){readDocument, readQUESTDocument} {
			d, err := read(l)
			if err == nil && d.ID == "" {
				t.Error("a document without an id was accepted")
			}
			if err == nil {
				if err := writeLine(io.Discard, d); err != nil {
					t.Errorf("the document cannot be written: %v", err)
				}
			}
		}
	})
}

func FuzzQrels(f *testing.F) {
	f.Add("query-id\tcorpus-id\tscore\nq\td\t1\n")
	f.Add(`{"query-id": "q", "corpus-id": "d", "score": 1.0}` + "\n" + `{"query-id": "q", "corpus-id": "e", "score": 1e300}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, add := range []func(qrels, line) error{qrels.addBEIR, qrels.addMTEB} {
			judged := qrels{}
			for l, err := range lines("f", strings.NewReader(text)) {
				if err != nil || add(judged, l) != nil {
					break
				}
			}
		}
	})
}

// FuzzPlain: a text is one atom of its formula, or has none.
func FuzzPlain(f *testing.F) {
	f.Add("Who likes \"X\" AND NOT (y?")
	f.Add(" ")
	f.Fuzz(func(t *testing.T, text string) {
		q := plain("q", text, nil)
		if q.Formula == "" {
			return
		}
		if n, err := query.Parse(q.Formula); err != nil || !query.IsAtom(n) {
			t.Errorf("%q: got %s: %v", text, q.Formula, err)
		}
	})
}
