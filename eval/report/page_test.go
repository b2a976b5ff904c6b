package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/measure"
	"github.com/nsfl-go/nsfl/retrieve"
)

// pageOf returns the page of a report, parsed as by a browser.
func pageOf(t *testing.T, r *Report) (root *html.Node, size int) {
	t.Helper()
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	size = b.Len()
	balanced(t, b.String())
	root, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return root, size
}

// balanced checks that every element is properly closed.
func balanced(t *testing.T, page string) {
	t.Helper()
	void := map[string]bool{"meta": true, "link": true, "input": true, "img": true, "br": true}
	var open []string
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("elements not closed: %v", open)
			}
			return
		case html.StartTagToken:
			if name, _ := z.TagName(); !void[string(name)] {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				t.Fatalf("</%s> closes %v", name, open)
			}
			open = open[:len(open)-1]
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// drawn is the part of the page's data that the tests read.
type drawn struct {
	Templates []string
	Outcomes  []struct{ Ranked [][]int }
	Queries   []struct {
		ID, Formula        string
		Template, Relevant int
		Documents          []int
	}
	Documents [][2]string
}

// Whatever the texts contain, the page has only our elements and scripts and loads nothing.
func TestPage(t *testing.T) {
	r := newReport(t)
	root, _ := pageOf(t, r)
	scripts, policy, links := []string{}, "", 0
	var data drawn
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has the handler %s", n.Data, a.Key)
			}
			if (a.Key == "src" || a.Key == "href" || a.Key == "srcset" || a.Key == "action") && !strings.HasPrefix(a.Val, "#") && a.Val != "data:," {
				t.Errorf("<%s> loads %s", n.Data, a.Val)
			}
		}
		switch n.Data {
		case "img", "iframe", "object", "embed", "base", "form", "i", "b":
			t.Errorf("unexpected element %s", n.Data)
		case "style":
			if css := n.FirstChild.Data; strings.Contains(css, "url(") || strings.Contains(css, "@import") {
				t.Error("the styles load something")
			}
		case "meta":
			if attribute(n, "http-equiv") == "Content-Security-Policy" {
				policy = attribute(n, "content")
			}
		case "a":
			if strings.HasPrefix(attribute(n, "href"), "#queries/") {
				links++
			}
		case "script":
			text := n.FirstChild.Data
			if attribute(n, "id") != "data" {
				scripts = append(scripts, text)
			} else if err := json.Unmarshal([]byte(text), &data); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(scripts) != 2 || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Fatalf("got %d scripts, policy %q", len(scripts), policy)
	}
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		if !strings.Contains(policy, base64.StdEncoding.EncodeToString(sum[:])) {
			t.Error("a script is not in the policy")
		}
	}
	if want := len(r.Rows) * (len(r.Templates) + 2); links != want {
		t.Errorf("got %d linked figures, want %d", links, want)
	}
	checkData(t, r, &data)
}

// checkData compares the page's data with the outcomes.
func checkData(t *testing.T, r *Report, data *drawn) {
	t.Helper()
	for k, row := range r.Rows {
		for i, m := range row.Outcome.Queries {
			q := data.Queries[i]
			if q.ID != m.Query.ID || q.Formula != m.Query.Formula || data.Templates[q.Template] != m.Query.Template {
				t.Fatalf("query %d: got %+v, want %+v", i, q, m.Query)
			}
			for rank, d := range data.Outcomes[k].Ranked[i] {
				if id := data.Documents[q.Documents[d]][0]; id != m.Ranking[rank] {
					t.Fatalf("%s, %s: %s is at rank %d, want %s", name(row.Outcome), q.ID, id, rank+1, m.Ranking[rank])
				}
				if relevant := d < q.Relevant; relevant != (m.Judged.Ranked[rank] > 0) {
					t.Fatalf("%s: the mark of %s is wrong", q.ID, m.Ranking[rank])
				}
			}
		}
	}
	for _, d := range data.Documents {
		want := r.title(d[0])
		if d[1] != want {
			t.Errorf("title of %s: got %q, want %q", d[0], d[1], want)
		}
	}
}

// A page of 600 queries by eight methods stays small; with more queries the rankings are
// truncated.
func TestPageSize(t *testing.T) {
	for _, c := range []struct{ queries, depth int }{{600, 100}, {2400, 20}} {
		r := synthetic(t, c.queries, 8)
		var b bytes.Buffer
		if err := r.HTML(&b); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 5_000_000 {
			t.Errorf("%d queries: got %d bytes", c.queries, b.Len())
		}
		if want := fmt.Sprintf(`"depth":%d,`, c.depth); !strings.Contains(b.String(), want) {
			t.Errorf("%d queries: the rankings are not %d deep", c.queries, c.depth)
		}
	}
}

// synthetic returns a report with rankings that partly agree, as methods do.
func synthetic(t *testing.T, queries, methods int) *Report {
	t.Helper()
	const seed = 3
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	set := animals(t)
	r := &Report{Templates: []string{set.Queries[0].Template}, Meta: Meta{Title: func(id string) string { return "a caption of ordinary length about " + id }}}
	for m := range methods {
		r.Rows = append(r.Rows, Row{Outcome: lab.Outcome{Method: retrieve.Mode(m + 1)}, Cells: make([]Cell, 1)})
	}
	for i := range queries {
		q := set.Queries[0]
		q.ID = fmt.Sprintf("query-%04d", i)
		pool := random.Perm(5000)[:250]
		for m := range r.Rows {
			var j measure.Judged
			var ids []string
			for _, k := range random.Perm(len(pool))[:100] {
				ids = append(ids, fmt.Sprintf("document-%04d", pool[k]))
				j.Ranked = append(j.Ranked, k%2)
			}
			r.Rows[m].Outcome.Queries = append(r.Rows[m].Outcome.Queries, lab.Measured{Query: &q, Ranking: ids, Judged: j, AP: random.Float64()})
		}
	}
	return r
}
