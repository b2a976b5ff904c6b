package nsfl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/passage"
	"github.com/nsfl-go/nsfl/vec"
)

// Document is what a collection is given. Only a title, a text or a passage is
// needed.
type Document struct {
	// ID names the document; adding another with the same ID replaces it. Empty:
	// the beginning of the sha256 of title and text.
	ID    string
	Title string
	Text  string
	// Passages are parts of the text that are compared on their own. Nil: the
	// text is cut into passages of some hundred words, none longer than the encoder
	// reads.
	Passages []string
	// Places are where the passages begin, one for each; nil: that is not known.
	Places []passage.Place
	// Metadata are the fields that predicates such as year:>=2015 read.
	Metadata map[string]any
	// Vector stands for the document in place of what the encoder would make of
	// it, and passages are then not compared on their own.
	Vector []float32
}

// stored is the document as a store has it, but for vectors that the encoder makes.
func (d *Document) stored() (engine.Document, error) {
	out := engine.Document{ID: d.ID, Title: d.Title, Text: d.Text, Passages: engine.NewPassages(d.Passages), Vector: d.Vector}
	if d.Places != nil && len(d.Places) != len(d.Passages) {
		return out, engine.BadInput(fmt.Sprintf("document %q", d.ID), "it has %d passages and %d places; give one for each, or none", len(d.Passages), len(d.Places))
	}
	for i, p := range d.Places {
		out.Passages[i].Place = p
	}
	if d.Metadata != nil {
		var err error
		if out.Metadata, err = json.Marshal(d.Metadata); err != nil {
			return out, engine.BadInput(fmt.Sprintf("document %q", d.ID), "its metadata cannot be written as JSON: %v", err)
		}
	}
	return out, nil
}

// documentOf is what stored made of a document. Where the title was made a passage,
// it still is one.
func documentOf(d *engine.Document) (Document, error) {
	out := Document{ID: d.ID, Title: d.Title, Text: d.Text, Places: engine.Places(d.Passages), Vector: d.Vector}
	for _, p := range d.Passages {
		out.Passages = append(out.Passages, p.Text)
	}
	if len(d.Metadata) > 0 {
		if err := json.Unmarshal(d.Metadata, &out.Metadata); err != nil {
			return out, fmt.Errorf("reading the metadata of %q: %w", d.ID, err)
		}
	}
	return out, nil
}

// Encode completes documents that are to be stored: ids where there are none,
// passages where there is only a text, and vectors. The title is a passage of its own
// where there is a text beside it. Nothing is encoded twice: the vector of a document
// with several passages is the mean of theirs. What has a vector keeps it, and gets no
// passages.
//
// Cut are the ids of documents with a passage that is longer than the encoder
// reads, which only a title and a passage that was given can be.
func (c *Collection) Encode(ctx context.Context, docs []engine.Document) (cut []string, err error) {
	var wholes, parts []string
	for i := range docs {
		d := &docs[i]
		whole, err := arrange(d, c.lengths)
		if err != nil {
			return nil, fmt.Errorf("adding document %d: %w", i, err)
		}
		if problem := d.TextProblem(); problem != "" { // before time is spent on it
			return nil, d.Invalid(i, problem)
		}
		switch {
		case d.Vector != nil:
		case len(d.Passages) > 1:
			for _, p := range d.Passages {
				parts = append(parts, p.Text)
			}
		default:
			wholes = append(wholes, whole)
		}
	}
	whole, err := c.encoder.Encode(ctx, encoder.Document, wholes)
	if err != nil {
		return nil, err
	}
	part, err := c.encoder.Encode(ctx, encoder.Passage, parts)
	if err != nil {
		return nil, err
	}
	for i := range docs {
		d := &docs[i]
		isCut := false
		switch n := len(d.Passages); {
		case d.Vector != nil:
		case n > 1:
			for j := range n {
				d.Passages[j].Vector = part.Vectors[j]
			}
			d.Vector = centre(part.Vectors[:n])
			isCut = slices.Contains(part.Cut[:n], true)
			part.Vectors, part.Cut = part.Vectors[n:], part.Cut[n:]
		default:
			d.Vector, isCut = whole.Vectors[0], whole.Cut[0]
			whole.Vectors, whole.Cut = whole.Vectors[1:], whole.Cut[1:]
		}
		if isCut {
			cut = append(cut, d.ID)
		}
	}
	return cut, nil
}

// centre is the mean of vectors, scaled to length 1; the first where they cancel out.
func centre(vectors [][]float32) []float32 {
	sum := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		vec.AddScaled(sum, v, 1)
	}
	if vec.Normalize(sum) != nil {
		return slices.Clone(vectors[0])
	}
	return sum
}

// arrange fills in the id and the passages of a document. Whole is the text of one that
// has not several.
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

// addBatch is how many documents Add encodes and stores at a time.
const addBatch = 256

// Add encodes documents and stores them, in place of those that have their ids.
// It does so in batches of 256: after an error, the batches before it are stored.
// What is stored is on the disk when Add returns.
func (c *Collection) Add(ctx context.Context, docs ...Document) error {
	return c.AddSeq(ctx, slices.Values(docs))
}

// AddSeq is Add for documents that come one by one.
func (c *Collection) AddSeq(ctx context.Context, docs iter.Seq[Document]) error {
	var batch []engine.Document
	store := func() error {
		if _, err := c.Encode(ctx, batch); err != nil {
			return err
		}
		err := c.store.Upsert(ctx, batch)
		batch = batch[:0]
		return err
	}
	for d := range docs {
		next, err := d.stored()
		if err != nil {
			return err
		}
		if batch = append(batch, next); len(batch) == addBatch {
			if err := store(); err != nil {
				return err
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return store()
}
