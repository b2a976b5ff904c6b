package nsfl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/passage"
)

// Encode completes documents to be stored: it adds missing ids, splits texts without
// passages, and computes vectors. If there is a text, the title becomes a passage of its
// own. A document with a vector keeps it, and gets no passages.
//
// A document no longer than a passage is encoded as a whole, and its passages too if
// there are several; a single passage next to the title gets the vector of the whole. The
// vector of a longer document is the mean of its passages' vectors, which avoids encoding
// anything twice.
//
// cut returns the ids of documents with a passage longer than the encoder's limit, which
// can only be a title or a given passage.
func (c *Collection) Encode(ctx context.Context, docs []engine.Document) (cut []string, err error) {
	var wholes, parts wanted
	for i := range docs {
		d := &docs[i]
		whole, err := arrange(d, c.lengths)
		if err != nil {
			return nil, fmt.Errorf("adding document %d: %w", i, err)
		}
		if problem := d.TextProblem(); problem != "" { // before spending time on it
			return nil, d.Invalid(i, problem)
		}
		if d.Vector != nil {
			continue
		}
		n := len(d.Passages)
		if n < 2 || c.lengths.Fits(whole) {
			wholes.add(d.ID, whole, &d.Vector)
			if n < 2 || n == 2 && d.Passages[0].Text == d.Title {
				n-- // its vector is that of the whole
			}
		}
		for j := range n {
			parts.add(d.ID, d.Passages[j].Text, &d.Passages[j].Vector)
		}
	}
	if err := wholes.encode(ctx, c.encoder, encoder.Document); err != nil {
		return nil, err
	}
	if err := parts.encode(ctx, c.encoder, encoder.Passage); err != nil {
		return nil, err
	}
	for i := range docs {
		join(&docs[i])
	}
	cut = append(wholes.cut, parts.cut...)
	slices.Sort(cut)
	return slices.Compact(cut), nil
}

// wanted collects texts to encode, and where to store their vectors.
type wanted struct {
	ids, texts []string
	to         []*[]float32
	cut        []string // ids of texts longer than the encoder's limit
}

func (w *wanted) add(id, text string, to *[]float32) {
	w.ids, w.texts, w.to = append(w.ids, id), append(w.texts, text), append(w.to, to)
}

func (w *wanted) encode(ctx context.Context, e encoder.Encoder, role encoder.Role) error {
	var texts []string // without duplicates
	at := map[string]int{}
	for _, text := range w.texts {
		if _, known := at[text]; !known {
			at[text] = len(texts)
			texts = append(texts, text)
		}
	}
	encoded, err := e.Encode(ctx, role, texts)
	if err != nil {
		return err
	}
	for i, to := range w.to {
		j := at[w.texts[i]]
		if *to = slices.Clone(encoded.Vectors[j]); encoded.Cut[j] {
			w.cut = append(w.cut, w.ids[i])
		}
	}
	return nil
}

// join derives the missing vectors of a document from the others.
func join(d *engine.Document) {
	n := len(d.Passages)
	switch {
	case n < 2:
	case d.Vector == nil:
		d.Vector = centre(d.Passages)
	case d.Passages[n-1].Vector == nil:
		d.Passages[n-1].Vector = slices.Clone(d.Vector)
	}
}

// centre returns the normalized mean of the passages' vectors, or the first one if they
// cancel out.
func centre(passages []engine.Passage) []float32 {
	sum := slices.Clone(passages[0].Vector)
	for _, p := range passages[1:] {
		vec.AddScaled(sum, p.Vector, 1)
	}
	if vec.Normalize(sum) != nil {
		return slices.Clone(passages[0].Vector)
	}
	return sum
}

// arrange fills in the id and the passages of a document. whole is its title and text.
func arrange(d *engine.Document, lengths passage.Lengths) (whole string, err error) {
	if d.Passages == nil {
		_, parts := lengths.Cut(passage.Blocks(d.Text))
		d.SetPassages(parts)
	}
	if d.Text == "" {
		var texts []string
		for _, p := range d.Passages {
			texts = append(texts, p.Text)
		}
		d.Text = strings.Join(texts, "\n\n")
	}
	if whole = strings.TrimSpace(d.Title + " " + d.Text); whole == "" && d.Vector == nil {
		return "", engine.BadInput(fmt.Sprintf("document %q", d.ID), "it has neither a title nor a text")
	}
	if d.ID == "" {
		sum := sha256.Sum256([]byte(d.Title + "\x00" + d.Text))
		d.ID = hex.EncodeToString(sum[:10])
	}
	if d.Vector != nil {
		d.Passages = nil
	} else if d.Title != "" && len(d.Passages) > 0 && d.Passages[0].Text != d.Title {
		d.Passages = slices.Insert(d.Passages, 0, engine.Passage{Text: d.Title})
	}
	return whole, nil
}
