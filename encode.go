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
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/vec"
)

// Encode completes documents that are to be stored: ids where there are none,
// passages where there is only a text, and vectors. The title is a passage of its own
// where there is a text beside it. What has a vector keeps it, and gets no passages.
//
// A document that is no longer than a passage may be is encoded as a whole, and its
// passages too if there are several; one alone beside the title has the vector of the
// whole. That of a longer document is the mean of its passages', so that nothing of it is
// encoded twice.
//
// Cut are the ids of documents with a passage that is longer than the encoder
// reads, which only a title and a passage that was given can be.
func (c *Collection) Encode(ctx context.Context, docs []engine.Document) (cut []string, err error) {
	var wholes, parts wanted
	for i := range docs {
		d := &docs[i]
		whole, err := arrange(d, c.lengths)
		if err != nil {
			return nil, fmt.Errorf("adding document %d: %w", i, err)
		}
		if problem := d.TextProblem(); problem != "" { // before time is spent on it
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

// wanted are texts of which vectors are wanted, and where these go.
type wanted struct {
	ids, texts []string
	to         []*[]float32
	cut        []string // the ids of those that are longer than the encoder reads
}

func (w *wanted) add(id, text string, to *[]float32) {
	w.ids, w.texts, w.to = append(w.ids, id), append(w.texts, text), append(w.to, to)
}

func (w *wanted) encode(ctx context.Context, e encoder.Encoder, role encoder.Role) error {
	var texts []string // each once
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

// join completes the vectors of a document by one another.
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

// centre is the mean of passages' vectors, scaled to length 1; the first where they cancel
// out.
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

// arrange fills in the id and the passages of a document. Whole is its title and text.
func arrange(d *engine.Document, lengths passage.Lengths) (whole string, err error) {
	if d.Passages == nil {
		_, parts := lengths.Cut(passage.Blocks(d.Text))
		d.Passages = engine.PassagesOf(parts)
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
