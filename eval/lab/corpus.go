package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/cache"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/passage"
)

// Corpus holds the documents of a set as vectors. Vectors of one kind are in a block, which
// is shared by all ways of comparing documents.
type Corpus struct {
	IDs     []string
	Encoder string // description of the encoder
	// Passages holds the passages of each document, cut from its text if it had none; nil
	// if the vectors came without texts.
	Passages [][]string

	dim     int
	whole   *block          // title and passages together
	long    []bool          // whether the whole is longer than a passage may be
	pieces  [][]uint16      // words of each document
	queries encoder.Encoder // of the strings of queries

	// The following are nil if unknown.
	passages *block
	titles   *block // no row for a document without a title
}

// EncoderName returns the name and the revision of the encoder.
func (c *Corpus) EncoderName() (name, revision string) {
	return c.queries.Identity().Name, c.queries.Identity().Revision
}

// Encode encodes the documents of a set for some ways of comparing them. It encodes only
// the texts those ways need, since passages take most of the time. progress, if not nil, is
// called with the number of documents done.
func Encode(ctx context.Context, e encoder.Encoder, set *sets.Set, ways []Passages, progress func(documents int)) (*Corpus, error) {
	e = cache.New(e, cacheBytes)
	c := newCorpus(e.Identity().String(), e.Identity().Dimension, ways)
	c.queries = e
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

// cacheBytes is the memory for the vectors of texts that may occur again.
const cacheBytes = 256 << 20

// newCorpus returns a corpus with empty blocks for some ways of comparing documents.
func newCorpus(encoder string, dim int, ways []Passages) *Corpus {
	c := &Corpus{Encoder: encoder, dim: dim, whole: newBlock(dim)}
	if slices.ContainsFunc(ways, func(p Passages) bool { return p != Whole }) {
		c.passages = newBlock(dim)
	}
	if slices.ContainsFunc(ways, Passages.hasTitles) {
		c.titles = newBlock(dim)
	}
	return c
}

// add encodes documents and adds them.
func (c *Corpus) add(ctx context.Context, e encoder.Encoder, docs []sets.Document) error {
	lengths, err := encoder.Lengths(e, 0)
	if err != nil {
		return err
	}
	var wholes, parts []string
	for i := range docs {
		if docs[i].Passages == nil && docs[i].Text != "" {
			_, cut := lengths.Cut(passage.Blocks(docs[i].Text))
			for _, p := range cut {
				docs[i].Passages = append(docs[i].Passages, p.Text)
			}
		}
		d := docs[i]
		whole := strings.TrimSpace(d.Title + " " + strings.Join(d.Passages, " "))
		if whole == "" {
			return fmt.Errorf("document %s has neither a title nor passages", d.ID)
		}
		wholes = append(wholes, whole)
		c.parts(d, func(_ *block, texts []string) { parts = append(parts, texts...) })
	}
	whole, err := e.Encode(ctx, encoder.Document, wholes)
	if err != nil {
		return err
	}
	part, err := e.Encode(ctx, encoder.Passage, parts)
	if err != nil {
		return err
	}
	rest := part.Vectors
	for i, d := range docs {
		c.IDs = append(c.IDs, d.ID)
		c.Passages = append(c.Passages, d.Passages)
		c.pieces = append(c.pieces, piecesOf(&d))
		c.whole.add(whole.Vectors[i])
		c.long = append(c.long, !lengths.Fits(wholes[i]))
		c.parts(d, func(b *block, texts []string) {
			b.add(rest[:len(texts)]...)
			rest = rest[len(texts):]
		})
	}
	return nil
}

// parts yields the texts of a document for each block other than the whole.
func (c *Corpus) parts(d sets.Document, yield func(b *block, texts []string)) {
	if c.passages != nil {
		yield(c.passages, d.Passages)
	}
	if c.titles != nil {
		var title []string
		if d.Title != "" {
			title = []string{d.Title}
		}
		yield(c.titles, title)
	}
}
