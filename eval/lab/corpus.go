package lab

import (
	"context"
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/vec"
)

// Corpus is the documents of a set as vectors.
type Corpus struct {
	IDs     []string
	Encoder string // what made the vectors, in words

	dim      int
	whole    [][]float32   // title and passages together
	titles   [][]float32   // nil where a document has none, or none are known
	passages [][][]float32 // those of each document; empty where none are known
	encode   func(ctx context.Context, strings []string) ([][]float32, error)
	matrices map[Passages]*matrix // those that were made
}

// matrix arranges the vectors for a way to compare passages, once. It is not for
// concurrent use.
func (c *Corpus) matrix(how Passages) (*matrix, error) {
	if m := c.matrices[how]; m != nil {
		return m, nil
	}
	m, err := newMatrix(c, how)
	if err != nil {
		return nil, err
	}
	if c.matrices == nil {
		c.matrices = map[Passages]*matrix{}
	}
	c.matrices[how] = m
	return m, nil
}

func (c *Corpus) parts(i int) [][]float32 {
	if c.passages == nil {
		return nil
	}
	return c.passages[i]
}

// partsWithTitle has the title as the first passage.
func (c *Corpus) partsWithTitle(i int) [][]float32 {
	parts := c.parts(i)
	if c.titles == nil || c.titles[i] == nil || len(parts) == 0 {
		return parts
	}
	return append([][]float32{c.titles[i]}, parts...)
}

// Encode encodes the documents of a set. Passages are left out unless they are
// wanted: most of the time goes into them. progress, unless nil, is told how many
// documents are done.
func Encode(ctx context.Context, e encoder.Encoder, set *sets.Set, passages bool, progress func(documents int)) (*Corpus, error) {
	c := &Corpus{Encoder: e.Identity().String(), dim: e.Identity().Dimension}
	c.encode = func(ctx context.Context, strings []string) ([][]float32, error) {
		out, err := e.Encode(ctx, encoder.Query, strings)
		return out.Vectors, err
	}
	if passages {
		c.passages, c.titles = [][][]float32{}, [][]float32{}
	}
	var batch []sets.Document
	flush := func() error {
		if err := c.add(ctx, e, batch); err != nil {
			return err
		}
		batch = batch[:0]
		if progress != nil {
			progress(len(c.IDs))
		}
		return nil
	}
	for d, err := range set.Documents {
		if err != nil {
			return nil, err
		}
		if batch = append(batch, d); len(batch) == 128 {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	return c, flush()
}

// add encodes some documents.
func (c *Corpus) add(ctx context.Context, e encoder.Encoder, docs []sets.Document) error {
	var wholes, parts []string
	for _, d := range docs {
		whole := strings.TrimSpace(d.Title + " " + strings.Join(d.Passages, " "))
		if whole == "" {
			return fmt.Errorf("document %s has neither a title nor passages", d.ID)
		}
		wholes = append(wholes, whole)
		if c.passages == nil {
			continue
		}
		parts = append(parts, d.Passages...)
		if d.Title != "" {
			parts = append(parts, d.Title)
		}
	}
	whole, err := e.Encode(ctx, encoder.Document, wholes)
	if err != nil {
		return err
	}
	part, err := e.Encode(ctx, encoder.Passage, parts)
	if err != nil {
		return err
	}
	at := 0
	for i, d := range docs {
		c.IDs = append(c.IDs, d.ID)
		c.whole = append(c.whole, whole.Vectors[i])
		if c.passages == nil {
			continue
		}
		c.passages = append(c.passages, part.Vectors[at:at+len(d.Passages)])
		at += len(d.Passages)
		var title []float32
		if d.Title != "" {
			title = part.Vectors[at]
			at++
		}
		c.titles = append(c.titles, title)
	}
	return nil
}

// unit scales vectors to length 1.
func unit(vectors [][]float32) error {
	for i, v := range vectors {
		if err := vec.Normalize(v); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return nil
}
