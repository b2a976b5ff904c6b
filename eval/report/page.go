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

// The page is one file. Observable Plot draws its charts; its build and licences are in
// assets/plot.
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

// pageLimit limits the data of a page in bytes; rankings are truncated to fit.
const pageLimit = 4_500_000

// HTML writes a self-contained page that needs only a browser, no network and no other file.
// It shows the table, the charts, and every query with its rankings. Texts of queries and
// documents are shown literally, never as markup.
func (r *Report) HTML(w io.Writer) error {
	data, err := r.data()
	if err != nil {
		return fmt.Errorf("making a page: %w", err)
	}
	scripts := []string{plotJS, strings.Join([]string{chartsJS, queryJS, pageJS}, "\n")}
	v := &view{Report: r, Overview: r.overview(), Tests: r.tests(), CSS: template.CSS(pageCSS), Data: template.JS(data)}
	// Scripts run only if their hash matches, so an injected script would not.
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src"
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		policy += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		v.Scripts = append(v.Scripts, template.JS(s))
	}
	v.Policy = policy
	return page.Execute(w, v)
}

// data returns the JSON of the page, with rankings as deep as the limit allows. Marshalling
// escapes sequences that could end a script element.
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

// view is the data for the parts of the page that need no script.
type view struct {
	*Report
	Policy   string
	CSS      template.CSS
	Scripts  []template.JS
	Data     template.JS
	Overview *Table
	Tests    *Table
}

// Link returns the link from a figure of the overview to its queries; gains have none.
func (v *view) Link(row, column int) string {
	switch k := column - v.Overview.Left; {
	case k < len(v.Templates):
		return fmt.Sprintf("#queries/%d/%d", row, k)
	case column+1 < len(v.Overview.Head):
		return fmt.Sprintf("#queries/%d/all", row)
	}
	return ""
}
