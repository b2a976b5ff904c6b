package screening

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// result is a record with its decision, for an export.
type result struct {
	engine.Document
	fields   map[string]any
	decision Decision // without a label if the record is unread or a duplicate
	same     string   // id of the record that a duplicate was folded into
}

// results reads all records: those decided in the order of reading, then the unread ones by
// rank, then duplicates.
func (s *Screening) results(ctx context.Context, yield func(*result) error) error {
	unread := s.Ranking()
	s.mu.Lock()
	var all []result
	for _, d := range s.current {
		all = append(all, result{Document: engine.Document{ID: d.Record}, decision: d})
	}
	for _, id := range unread {
		all = append(all, result{Document: engine.Document{ID: id}})
	}
	for _, id := range slices.Sorted(maps.Keys(s.folded)) {
		all = append(all, result{Document: engine.Document{ID: id}, same: s.folded[id]})
	}
	s.mu.Unlock()
	for _, r := range all {
		d, err := s.store.Get(ctx, r.ID, engine.Titles|engine.Texts|engine.Metadata)
		if err != nil {
			return fmt.Errorf("reading record %q: %w", r.ID, err)
		}
		r.Document = d
		_ = json.Unmarshal(d.Metadata, &r.fields) // metadata is an object, or empty
		if err := yield(&r); err != nil {
			return err
		}
	}
	return nil
}

// value returns a metadata value as text; parts of a list are separated by semicolons.
func (r *result) value(field string) string {
	switch v := r.fields[field].(type) {
	case nil:
		return ""
	case []any:
		var parts []string
		for _, p := range v {
			parts = append(parts, fmt.Sprint(p))
		}
		return strings.Join(parts, "; ")
	default:
		return fmt.Sprint(v)
	}
}

// included returns the label as other programs write it: 1, 0, or nothing.
func (r *result) included() string {
	switch r.decision.Label {
	case Include:
		return "1"
	case Exclude:
		return "0"
	}
	return ""
}

// WriteCSV writes all records with their decisions as a table.
func (s *Screening) WriteCSV(ctx context.Context, w io.Writer) error {
	table := csv.NewWriter(w)
	err := table.Write([]string{"id", "title", "abstract", "authors", "year", "doi", "included", "decision", "reason", "person", "time", "sample", "duplicate_of"})
	if err != nil {
		return err
	}
	err = s.results(ctx, func(r *result) error {
		at, sample := "", ""
		if r.decision.Label != "" {
			at = r.decision.Time.Format(time.RFC3339)
		}
		if r.decision.Sample {
			sample = "1"
		}
		return table.Write([]string{
			r.ID, r.Title, r.Text, r.value("authors"), r.value("year"), r.value("doi"),
			r.included(), string(r.decision.Label), r.decision.Reason, r.decision.Person, at, sample, r.same,
		})
	})
	table.Flush()
	if err == nil {
		err = table.Error()
	}
	return err
}

// WriteRIS writes the included records as references.
func (s *Screening) WriteRIS(ctx context.Context, w io.Writer) error {
	return s.results(ctx, func(r *result) error {
		if r.decision.Label != Include {
			return nil
		}
		kind := r.value("type")
		if len(kind) != 4 || strings.ToUpper(kind) != kind {
			kind = "JOUR"
		}
		lines := [][2]string{{"TY", kind}, {"ID", r.ID}, {"TI", r.Title}, {"AB", r.Text}}
		for tag, field := range map[string]string{"DO": "doi", "PY": "year", "JO": "journal", "UR": "url"} {
			lines = append(lines, [2]string{tag, r.value(field)})
		}
		for tag, field := range map[string]string{"AU": "authors", "KW": "keywords"} {
			list, ok := r.fields[field].([]any)
			if text, isText := r.fields[field].(string); !ok && isText { // of a table
				list = []any{text}
			}
			for _, v := range list {
				lines = append(lines, [2]string{tag, fmt.Sprint(v)})
			}
		}
		slices.SortStableFunc(lines[4:], func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
		lines = append(lines, [2]string{"N1", "included: 1"})
		var b strings.Builder
		for _, l := range lines {
			if text := strings.Join(strings.Fields(l[1]), " "); text != "" {
				fmt.Fprintf(&b, "%s  - %s\n", l[0], text)
			}
		}
		_, err := io.WriteString(w, b.String()+"ER  - \n\n")
		return err
	})
}

// WritePRISMA draws the flow of records as the PRISMA 2020 statement asks for, up to the
// records that go on to be read in full.
func (s *Screening) WritePRISMA(w io.Writer) error {
	p := s.Progress()
	box := func(x, y, height int, lines ...string) string {
		var b strings.Builder
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="320" height="%d" fill="none" stroke="#333"/>`, x, y, height)
		for i, l := range lines {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, x+12, y+24+20*i, html.EscapeString(l))
		}
		return b.String() + "\n"
	}
	arrow := func(x1, y1, x2, y2 int) string {
		return fmt.Sprintf(`<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#333" marker-end="url(#a)"/>`+"\n", x1, y1, x2, y2)
	}
	reasons := []string{fmt.Sprintf("Records excluded (n = %d)", p.Excluded)}
	for _, r := range slices.SortedFunc(maps.Keys(p.Reasons), func(a, b string) int { return p.Reasons[b] - p.Reasons[a] }) {
		if text := []rune(r); len(text) > 0 && len(reasons) < 10 {
			reasons = append(reasons, fmt.Sprintf("  %s (n = %d)", string(text[:min(len(text), 34)]), p.Reasons[r]))
		}
	}
	height := 40 + 20*(len(reasons)-1)
	bottom := 160 + max(100, height+20)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="%d" font-family="sans-serif" font-size="14">
<title>PRISMA flow of the screening %s</title>
<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#333"/></marker></defs>
<rect width="100%%" height="100%%" fill="#fff"/>
%s</svg>
`, bottom+80, html.EscapeString(s.Name), strings.Join([]string{
		box(20, 20, 60, fmt.Sprintf("Records identified (n = %d)", p.Records)),
		box(420, 20, 80, "Records removed before screening:", fmt.Sprintf("duplicates by DOI (n = %d)", p.DuplicateDOI), fmt.Sprintf("duplicates by text (n = %d)", p.DuplicateText)),
		box(20, 160, 60, fmt.Sprintf("Records screened (n = %d)", p.Stop.Read), fmt.Sprintf("not screened (n = %d)", p.Unread)),
		box(420, 160, height, reasons...),
		box(20, bottom, 60, fmt.Sprintf("Records included (n = %d)", p.Included), fmt.Sprintf("undecided (n = %d)", p.Unsure)),
		arrow(340, 50, 420, 50), arrow(180, 80, 180, 160), arrow(340, 190, 420, 190), arrow(180, 220, 180, bottom),
	}, ""))
	return err
}

// WriteAppendix writes what others need to reproduce the ranking and to judge the screening.
func (s *Screening) WriteAppendix(w io.Writer, version string) error {
	p := s.Progress()
	formula := s.Formula
	if formula == "" {
		formula = "none"
	}
	records := slices.Clone(s.ids)
	slices.Sort(records)
	var log strings.Builder
	for _, d := range s.Decisions(false) {
		fmt.Fprintf(&log, "%s\x00%s\n", d.Record, d.Label)
	}
	elusion := "no random sample of the unread records was read"
	if p.Elusion != nil {
		elusion = p.Elusion.String()
	}
	_, err := fmt.Fprintf(w, `# Search appendix: %s

| | |
|---|---|
| formula | %s |
| created | %s |
| written | %s |
| program | nsfl %s |
| encoder | %s |
| seed | %d |
| records | %d, of which %d duplicates by DOI and %d by text |
| SHA-256 of the ids | %s |
| SHA-256 of the decisions | %s |
| SHA-256 of the ranking | %s |
| included, excluded, unsure, unread | %d, %d, %d, %d |
| stopping rule | %s |
| elusion | %s |

The stopping rule is the test of Callaghan and Müller-Hansen (Systematic Reviews 9:273) for a
recall of %.0f %% at a significance level of %.2f. The ranking depends on the records, the
formula, the encoder and the decisions alone: the same ones give the same hash of the ids of
the unread records, best first.
`, s.Name, strings.ReplaceAll(formula, "|", `\|`), s.Created.Format(time.RFC3339), s.now().UTC().Format(time.RFC3339), version, s.Searcher.Encoder.Identity(), s.Seed,
		p.Records, p.DuplicateDOI, p.DuplicateText, sum(records), hexSum(log.String()), sum(s.Ranking()), p.Included, p.Excluded, p.Unsure, p.Unread, p.Statement, elusion, 100*TargetRecall, Significance)
	return err
}

func sum(ids []string) string { return hexSum(strings.Join(ids, "\n")) }

func hexSum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}
