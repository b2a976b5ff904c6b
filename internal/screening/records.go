package screening

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/words"
	"github.com/nsfl-go/nsfl/retrieve"
)

// Records are the records of a collection with the features that a model needs.
type Records struct {
	ids     []string // without duplicates
	at      map[string]int
	terms   *Terms
	vectors [][]float32
	scores  [][]float32       // see newModel
	folded  map[string]string // id of a duplicate to the id of the record that represents it
	byDOI   int               // duplicates folded by DOI, and by text
	byText  int
}

// MaxRecords is the number of records that a screening can have. They are in memory.
const MaxRecords = 200_000

// ReadRecords reads the records of a collection, scores them by a formula, unless it is empty,
// and folds duplicates if asked to.
func ReadRecords(ctx context.Context, searcher *retrieve.Searcher, store engine.Collection, formula string, fold bool) (*Records, error) {
	size, err := store.Size(ctx)
	if err != nil {
		return nil, err
	}
	if size.Documents > MaxRecords {
		return nil, engine.BadInput("screening", "the collection has %d documents, at most %d can be screened; search for the relevant ones and index those", size.Documents, MaxRecords)
	}
	r := &Records{at: map[string]int{}, folded: map[string]string{}}
	var texts []string
	f := newFolder()
	for d, err := range engine.All(ctx, store, engine.Page{Limit: 500, Parts: engine.Titles | engine.Texts | engine.Metadata | engine.Vectors}) {
		if err != nil {
			return nil, err
		}
		if _, again := r.at[d.ID]; again || r.folded[d.ID] != "" {
			continue
		}
		if fold {
			if first, byDOI := f.fold(&d); first != "" {
				if r.folded[d.ID] = first; byDOI {
					r.byDOI++
				} else {
					r.byText++
				}
				continue
			}
		}
		r.at[d.ID] = len(r.ids)
		r.ids = append(r.ids, d.ID)
		texts, r.vectors = append(texts, d.Title+"\n"+d.Text), append(r.vectors, d.Vector)
	}
	r.terms = newTerms(texts)
	if formula != "" {
		r.scores, err = r.formulaScores(ctx, searcher, store, formula)
	}
	return r, err
}

// IDs returns the ids of the records.
func (r *Records) IDs() []string { return r.ids }

// Duplicates maps the ids of duplicates to those of the records that represent them.
func (r *Records) Duplicates() map[string]string { return r.folded }

// Model returns a model of the records without decisions.
func (r *Records) Model() *Model { return newModel(r.terms, r.vectors, r.scores) }

// Some returns the records with the given indices, for a simulation.
func (r *Records) Some(indices []int) *Records {
	out := &Records{terms: &Terms{numbers: r.terms.numbers}, scores: make([][]float32, len(r.scores))}
	for _, i := range indices {
		out.ids, out.vectors, out.terms.rows = append(out.ids, r.ids[i]), append(out.vectors, r.vectors[i]), append(out.terms.rows, r.terms.rows[i])
		for c := range r.scores {
			out.scores[c] = append(out.scores[c], r.scores[c][i])
		}
	}
	return out
}

// formulaScores returns the scores of the records for the formula and its parts, column by
// column. A record that the formula's filter rejects has the lowest scores.
func (r *Records) formulaScores(ctx context.Context, searcher *retrieve.Searcher, store engine.Collection, formula string) ([][]float32, error) {
	o := retrieve.Options{Research: retrieve.Research{Mode: retrieve.Exact}}
	q, err := retrieve.Read(ctx, formula, o)
	if err != nil {
		return nil, err
	}
	p, err := searcher.Prepare(ctx, q, o)
	if err != nil {
		return nil, err
	}
	c, err := searcher.Find(ctx, p)
	if err != nil {
		return nil, err
	}
	ranking, err := c.Rank(len(c.Refs))
	if err != nil {
		return nil, err
	}
	score := make([]float32, len(c.Refs))
	for i, line := range ranking.Lines {
		score[line] = ranking.Scores[i]
	}
	columns := [][]float32{score}
	for t, column := range c.Terms {
		if c.Reads(t) {
			columns = append(columns, column)
		}
	}
	columns = append(columns, c.Shares...)
	ids := make([]string, len(c.Refs))
	if err := engine.Visit(ctx, store, c.Refs, engine.NoParts, func(i int, d *engine.Document) { ids[i] = d.ID }); err != nil {
		return nil, err
	}
	out := make([][]float32, len(columns))
	for k, column := range columns {
		least := float32(0)
		if len(column) > 0 {
			least = slices.Min(column)
		}
		out[k] = slices.Repeat([]float32{least}, len(r.ids))
		for line, id := range ids {
			if at, ok := r.at[id]; ok {
				out[k][at] = column[line]
			}
		}
	}
	return out, nil
}

// folder finds duplicates.
type folder struct {
	doi   map[string]string
	texts map[string][]reading
}

// reading is a record that others may be copies of.
type reading struct {
	id      string
	wording *words.Wording
}

func newFolder() *folder {
	return &folder{doi: map[string]string{}, texts: map[string][]reading{}}
}

// fold returns the id of an earlier record that d is a duplicate of, and whether its DOI shows
// it or its text. Texts are compared with those that have the same title or beginning.
func (f *folder) fold(d *engine.Document) (first string, byDOI bool) {
	var fields struct {
		DOI string `json:"doi"`
	}
	_ = json.Unmarshal(d.Metadata, &fields) // a doi of another type identifies nothing
	doi := bareDOI(fields.DOI)
	if first := f.doi[doi]; doi != "" && first != "" {
		return first, true
	}
	w := words.NewWording(d.Title, d.Text)
	keys := []string{"title " + block(d.Title), "text " + block(d.Text)}
	for _, k := range keys {
		for _, other := range f.texts[k] {
			if w.Copy(other.wording) {
				return other.id, false
			}
		}
	}
	if doi != "" {
		f.doi[doi] = d.ID
	}
	for _, k := range keys {
		if !strings.HasSuffix(k, " ") && len(f.texts[k]) < 50 { // a common title identifies nothing
			f.texts[k] = append(f.texts[k], reading{d.ID, w})
		}
	}
	return "", false
}

// block returns the first words of a text, in lower case.
func block(text string) string {
	const most = 8
	var out []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text[:min(len(text), 400)]), notOfWords) {
		if out = append(out, word); len(out) == most {
			break
		}
	}
	return strings.Join(out, " ")
}

// bareDOI returns a DOI in lower case and without the address of its resolver.
func bareDOI(doi string) string {
	doi = strings.ToLower(strings.TrimSpace(doi))
	if at := strings.Index(doi, "10."); at >= 0 {
		return doi[at:]
	}
	return ""
}
