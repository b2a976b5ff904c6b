package nsfl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/index"
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
	// Metadata is a JSON object whose fields predicates such as year:>=2015 read.
	Metadata json.RawMessage
}

// Prepared are documents with their vectors, not yet stored.
type Prepared struct {
	Documents []index.Document
	// Cut are the ids of documents with a passage that is longer than the encoder
	// reads. That the vector of a whole document does not see all of it is usual,
	// and not counted.
	Cut []string
}

// Prepare encodes documents, each as a whole and by its passages. The title is a
// passage of its own where there is a text beside it.
func (c *Collection) Prepare(ctx context.Context, docs []Document) (*Prepared, error) {
	p := &Prepared{Documents: make([]index.Document, len(docs))}
	var wholes, parts []string
	for i := range docs {
		d, whole, err := docs[i].arrange()
		if err != nil {
			return nil, fmt.Errorf("adding document %d: %w", i, err)
		}
		p.Documents[i] = d
		wholes = append(wholes, whole)
		if len(d.Passages) > 1 {
			for _, p := range d.Passages {
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
	at := 0
	for i := range p.Documents {
		d := &p.Documents[i]
		d.Vector = whole.Vectors[i]
		cut := whole.Cut[i]
		if n := len(d.Passages); n > 1 {
			for j := range n {
				d.Passages[j].Vector = part.Vectors[at+j]
			}
			cut = slices.Contains(part.Cut[at:at+n], true)
			at += n
		}
		if cut {
			p.Cut = append(p.Cut, d.ID)
		}
	}
	return p, nil
}

// arrange is the document as it is stored, without vectors, and the text whose
// vector stands for all of it.
func (d *Document) arrange() (out index.Document, whole string, err error) {
	passages := d.Passages
	if passages == nil {
		passages = passage.Cut(d.Text)
	}
	text := d.Text
	if text == "" {
		text = strings.Join(passages, "\n\n")
	}
	whole = strings.TrimSpace(d.Title + " " + text)
	if whole == "" {
		return out, "", fmt.Errorf("document %q has neither a title nor a text", d.ID)
	}
	out = index.Document{ID: d.ID, Title: d.Title, Text: text, Metadata: d.Metadata}
	if out.ID == "" {
		sum := sha256.Sum256([]byte(d.Title + "\x00" + text))
		out.ID = hex.EncodeToString(sum[:10])
	}
	if d.Title != "" && len(passages) > 0 && passages[0] != d.Title {
		out.Passages = append(out.Passages, index.Passage{Text: d.Title})
	}
	for _, p := range passages {
		out.Passages = append(out.Passages, index.Passage{Text: p})
	}
	return out, whole, nil
}

// AddPrepared stores prepared documents: all of them or, after an error, none.
func (c *Collection) AddPrepared(ctx context.Context, p *Prepared) error {
	return c.store.Upsert(ctx, p.Documents)
}

// addBatch is how many documents Add encodes and stores at a time.
const addBatch = 256

// Add encodes documents and stores them, in place of those that have their ids.
// It does so in batches of 256: after an error, the batches before it are stored.
// What is stored is on the disk when Add returns.
func (c *Collection) Add(ctx context.Context, docs ...Document) error {
	for batch := range slices.Chunk(docs, addBatch) {
		p, err := c.Prepare(ctx, batch)
		if err != nil {
			return err
		}
		if err := c.AddPrepared(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
