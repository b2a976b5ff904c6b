package sets

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// questTemplates maps QUEST's own templates, in which _ stands for an atom, to shapes. Atoms
// have the same order in both.
var questTemplates = map[string]shape{
	"_":                            {Single, false, 1, 0},
	"_ that are also _":            shapes[0],
	"_ that are also both _ and _": shapes[1],
	"_ that are not _":             shapes[2],
	"_ that are also _ but not _":  shapes[3],
	"_ or _":                       shapes[4],
	"_ or _ or _":                  shapes[5],
}

var questMark = regexp.MustCompile(`<mark>(.*?)</mark>`)

type questQuery struct {
	Query    string   `json:"query"`
	Docs     []string `json:"docs"`
	Original string   `json:"original_query"`
	Metadata struct {
		Template string `json:"template"`
	} `json:"metadata"`
}

// OpenQUEST reads a split (train, val or test) of QUEST (Malaviya et al. 2023) from a folder
// with its files documents.jsonl and SPLIT.jsonl. A query's Text is the annotators'
// paraphrase; its Formula is made of the atoms marked in the original. Queries have no ids,
// so they are named SPLIT-LINE. Documents are identified by title, or by _id if they have
// one, as in LIMIT+ (Degenhart et al. 2026), whose queries have QUEST's format.
func OpenQUEST(dir, split string) (*Set, error) {
	s := newSet(dir, split, "documents.jsonl", readQUESTDocument)
	err := records(filepath.Join(dir, split+".jsonl"), "queries", func(l line, record questQuery) error {
		q, err := record.query()
		if err != nil {
			return l.fail("%w", err)
		}
		q.ID = fmt.Sprintf("%s-%04d", split, l.n)
		s.Queries = append(s.Queries, q)
		return nil
	})
	return s, err
}

func (r *questQuery) query() (Query, error) {
	var q Query
	var atoms []string
	for _, m := range questMark.FindAllStringSubmatch(r.Original, -1) {
		atom := strings.TrimSpace(m[1])
		if atom == "" {
			return q, errors.New("an atom of the original_query is empty")
		}
		atoms = append(atoms, atom)
	}
	if atoms == nil {
		return q, errors.New("the original_query marks no atoms; QUEST's augmented queries lack them, use train.jsonl rather than train_aug.jsonl")
	}
	pattern := questMark.ReplaceAllLiteralString(r.Original, "_")
	form, known := questTemplates[pattern]
	if !known {
		return q, fmt.Errorf("the original_query has the form %q, which is not one of QUEST's templates", pattern)
	}
	if t := r.Metadata.Template; t != "" && t != pattern {
		return q, fmt.Errorf("the original_query has the form %q, but its template is %q", pattern, t)
	}
	relevant := grades{}
	for _, title := range r.Docs {
		relevant[title] = 1
	}
	if len(relevant) == 0 {
		return q, errors.New("the query has no relevant documents")
	}
	formula, err := form.formula(atoms)
	if err != nil {
		return q, err
	}
	return Query{Template: form.name, Text: r.Query, Formula: formula.String(), judgements: relevant}, nil
}

func readQUESTDocument(l line) (Document, error) {
	var d Document
	if err := l.decode(&d); err != nil {
		return d, err
	}
	if d.ID = cmp.Or(d.ID, d.Title); d.ID == "" {
		return d, l.fail("the document has no title, which QUEST uses as its id")
	}
	return Document{ID: d.ID, Title: d.Title, Passages: []string{d.Text}}, nil
}
