package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// The page is one file. Its charts are drawn by Observable Plot, whose build and
// licences are in assets/plot.
var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageCSS string
	//go:embed assets/page.js
	pageJS string
	//go:embed assets/charts.js
	chartsJS string
	//go:embed assets/query.js
	queryJS string
	//go:embed assets/plot/plot.min.js
	plotJS string

	page = template.Must(template.New("page").Parse(pageHTML))
)

// pageLimit bounds the data of a page in bytes; rankings are cut until they fit.
const pageLimit = 4_500_000

// HTML writes a page that needs nothing but a browser: no network, no other file.
// It shows the table, the charts, and every query with the rankings it got.
// Texts of queries and documents are shown as they are, never as markup.
func (r *Report) HTML(w io.Writer) error {
	data, err := r.data()
	if err != nil {
		return fmt.Errorf("making a page: %w", err)
	}
	scripts := []string{plotJS, strings.Join([]string{chartsJS, queryJS, pageJS}, "\n")}
	v := view{Report: r, CSS: template.CSS(pageCSS), Data: template.JS(data)}
	// Scripts run by their hash: what a text might smuggle in would not.
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src"
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		policy += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		v.Scripts = append(v.Scripts, template.JS(s))
	}
	v.Policy = policy
	v.fill()
	return page.Execute(w, v)
}

// data is the JSON of the page, the rankings as deep as the limit lets them be.
// Marshalling escapes what could end a script element.
func (r *Report) data() ([]byte, error) {
	var out []byte
	for _, depth := range []int{100, 50, 20, 10, 5} {
		var err error
		if out, err = json.Marshal(r.pageData(depth)); err != nil {
			return nil, err
		}
		if len(out) <= pageLimit {
			break
		}
	}
	return out, nil
}

// view is what the template shows without a script.
type view struct {
	*Report
	Policy  string
	CSS     template.CSS
	Scripts []template.JS
	Data    template.JS
	Head    []string
	Left    int // columns of words in it
	Table   []viewRow
	Notes   []string
	Tests   []viewTests
	Columns []string
}

// viewTests are the comparisons of one outcome with its baseline.
type viewTests struct {
	Name string
	Rows [][]string
}

type viewRow struct {
	Rule   bool
	Method string
	Keys   []string // fusion and passages, where there are several
	Cells  []viewCell
	Gain   string
}

// viewCell links a figure to its queries.
type viewCell struct {
	Text, Link, Title string
	Best              bool
}

func (v *view) fill() {
	t := v.overview()
	v.Head, v.Left, v.Notes = t.head, t.left, t.notes
	for i := range v.Rows {
		row, cells := &v.Rows[i], t.rows[i].cells
		line := viewRow{Rule: t.rows[i].rule, Method: cells[0].text, Gain: cells[len(cells)-1].text}
		for _, c := range cells[1:t.left] {
			line.Keys = append(line.Keys, c.text)
		}
		for k, c := range cells[t.left : len(cells)-1] {
			out := viewCell{Text: c.text, Best: c.best}
			if k < len(row.Cells) {
				in := row.Cells[k].Interval
				out.Link = fmt.Sprintf("#queries/%d/%d", i, k)
				out.Title = fmt.Sprintf("%d queries, 95 %% interval %.4f to %.4f", row.Cells[k].N, in.Low, in.High)
				if a := row.Cells[k].Against; a != nil {
					out.Title += fmt.Sprintf("; %s against the baseline, p = %s, %s after Holm's correction", signed(a.Difference.Value), probability(a.Test.P), probability(a.Adjusted))
				}
			} else {
				out.Link = fmt.Sprintf("#queries/%d/all", i)
				out.Title = fmt.Sprintf("%d queries, 95 %% interval %.4f to %.4f", len(row.Outcome.Queries), row.MAP.Low, row.MAP.High)
				if k > len(row.Cells) {
					out.Title = "with the denominator R"
				}
			}
			line.Cells = append(line.Cells, out)
		}
		v.Table = append(v.Table, line)
	}
	v.Columns = testsHead
	for _, l := range v.tests() {
		if l.cells == nil {
			v.Tests = append(v.Tests, viewTests{Name: l.title})
			continue
		}
		last := &v.Tests[len(v.Tests)-1]
		var texts []string
		for _, c := range l.cells {
			texts = append(texts, c.text)
		}
		last.Rows = append(last.Rows, texts)
	}
}
