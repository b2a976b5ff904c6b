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
	// text is cut into passages of some hundred words.
	Passages []string
	// Metadata are the fields that predicates such as year:>=2015 read.
	Metadata map[string]any
	// Vector stands for the document in place of what the encoder would make of
	// it, and passages are then not compared on their own.
	Vector []float32
}

// stored is the document as a store has it, but for vectors that the encoder makes.
func (d *Document) stored() (engine.Document, error) {
	out := engine.Document{ID: d.ID, Title: d.Title, Text: d.Text, Passages: engine.NewPassages(d.Passages), Vector: d.Vector}
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
	out := Document{ID: d.ID, Title: d.Title, Text: d.Text, Vector: d.Vector}
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
// passages where there is only a text, and vectors, of each as a whole and of its
// passages. The title is a passage of its own where there is a text beside it.
// What has a vector keeps it, and gets no passages.
//
// Cut are the ids of documents with a passage that is longer than the encoder
// reads. That the vector of a whole document does not see all of it is usual, and
// not counted.
func (c *Collection) Encode(ctx context.Context, docs []engine.Document) (cut []string, err error) {
	var wholes, parts []string
	for i := range docs {
		whole, err := arrange(&docs[i])
		if err != nil {
			return nil, fmt.Errorf("adding document %d: %w", i, err)
		}
		if problem := docs[i].TextProblem(); problem != "" { // before time is spent on it
			return nil, docs[i].Invalid(i, problem)
		}
		if docs[i].Vector != nil {
			continue
		}
		wholes = append(wholes, whole)
		if len(docs[i].Passages) > 1 {
			for _, p := range docs[i].Passages {
				parts = append(parts, p.Text)
			}
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
	at, from := 0, 0
	for i := range docs {
		d := &docs[i]
		if d.Vector != nil {
			continue
		}
		d.Vector = whole.Vectors[at]
		isCut := whole.Cut[at]
		at++
		if n := len(d.Passages); n > 1 {
			for j := range n {
				d.Passages[j].Vector = part.Vectors[from+j]
			}
			isCut = slices.Contains(part.Cut[from:from+n], true)
			from += n
		}
		if isCut {
			cut = append(cut, d.ID)
		}
	}
	return cut, nil
}

// arrange fills in the id and the passages of a document. Whole is the text whose
// vector stands for all of it.
func arrange(d *engine.Document) (whole string, err error) {
	if d.Passages == nil {
		d.Passages = engine.NewPassages(passage.Cut(d.Text))
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
