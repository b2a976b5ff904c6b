package screening

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"
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

//go:embed prisma.svg appendix.md
var files embed.FS

var templates = template.Must(template.ParseFS(files, "*"))

// WritePRISMA draws the flow of records as the PRISMA 2020 statement asks for, up to the
// records that go on to be read in full.
func (s *Screening) WritePRISMA(w io.Writer) error {
	const most = 9 // reasons
	p := s.Progress()
	var reasons []string
	for _, r := range slices.SortedFunc(maps.Keys(p.Reasons), func(a, b string) int { return p.Reasons[b] - p.Reasons[a] }) {
		if text := []rune(r); len(text) > 0 && len(reasons) < most {
			reasons = append(reasons, fmt.Sprintf("%s (n = %d)", string(text[:min(len(text), 34)]), p.Reasons[r]))
		}
	}
	excluded := 40 + 20*len(reasons) // the height of the box
	bottom := 160 + max(100, excluded+20)
	return templates.ExecuteTemplate(w, "prisma.svg", map[string]any{
		"Name": s.Name, "Progress": p, "Reasons": reasons, "Excluded": excluded, "Bottom": bottom, "Height": bottom + 80,
	})
}

// WriteAppendix writes what others need to reproduce the ranking and to judge the screening.
func (s *Screening) WriteAppendix(w io.Writer, version string) error {
	var log strings.Builder
	for _, d := range s.Decisions(false) {
		fmt.Fprintf(&log, "%s\x00%s\n", d.Record, d.Label)
	}
	return templates.ExecuteTemplate(w, "appendix.md", map[string]any{
		"Name": s.Name, "Formula": strings.ReplaceAll(cmp.Or(s.Formula, "none"), "|", `\|`), "Seed": s.Seed,
		"Created": s.Created.Format(time.RFC3339), "Written": s.now().UTC().Format(time.RFC3339),
		"Version": version, "Encoder": s.Searcher.Encoder.Identity(), "Progress": s.Progress(),
		"IDs": sum(slices.Sorted(slices.Values(s.ids))...), "Decisions": sum(log.String()), "Ranking": sum(s.Ranking()...),
		"Recall": 100 * TargetRecall, "Significance": Significance,
	})
}

// sum returns the SHA-256 hash of lines.
func sum(lines ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))
}
