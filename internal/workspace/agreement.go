package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/vec"
)

// Agreement measures how similar the vectors of a store of unknown origin are to those
// that an encoder computes for the same documents.
type Agreement struct {
	Texts int     `json:"texts" doc:"number of compared texts"`
	Mean  float64 `json:"mean" doc:"mean cosine; about 1 if the encoder made the vectors"`
	From  string  `json:"from,omitempty" doc:"the best match: text, title, or title and text"`
	New   bool    `json:"-"` // not reported yet
}

// minAgreement is the mean similarity from which an encoder is assumed to have made the
// vectors.
const minAgreement = 0.95

// Doubt describes the problem, or returns "" if there is none.
func (a *Agreement) Doubt() string {
	switch {
	case a.Texts == 0:
		return "the encoder could not be checked against the vectors, because the store has no texts"
	case a.Mean < minAgreement:
		return fmt.Sprintf("the vectors were not made by this encoder, or from other texts: %s; about 1 is expected. Results will be poor; choose the encoder that made them, or the columns they were made from", a)
	}
	return ""
}

func (a *Agreement) String() string {
	return fmt.Sprintf("the mean cosine between %d stored vectors and new encodings of the same documents (%s) is %.3f", a.Texts, a.From, a.Mean)
}

// Agree encodes the texts of a sample of documents and compares them with the stored
// vectors, trying the text, the title and both, and keeping the best match.
func Agree(ctx context.Context, c *nsfl.Collection) (*Agreement, error) {
	const looked, wanted = 60, 20
	refs, err := c.Store().Sample(ctx, looked)
	if err != nil {
		return nil, err
	}
	docs, err := c.Store().Documents(ctx, refs, engine.Titles|engine.Texts|engine.Vectors)
	if err != nil {
		return nil, err
	}
	best := &Agreement{New: true}
	for _, way := range []struct {
		from string
		of   func(d *engine.Document) string
	}{
		{"text", func(d *engine.Document) string { return d.Text }},
		{"title and text", func(d *engine.Document) string {
			if d.Title == "" || d.Text == "" {
				return ""
			}
			return d.Title + " " + d.Text
		}},
		{"title", func(d *engine.Document) string { return d.Title }},
	} {
		var texts []string
		var vectors [][]float32
		for i := range docs {
			if text := strings.TrimSpace(way.of(&docs[i])); text != "" && docs[i].Vector != nil && len(texts) < wanted {
				texts, vectors = append(texts, text), append(vectors, docs[i].Vector)
			}
		}
		if 2*len(texts) < best.Texts || len(texts) == 0 {
			continue // too few documents have it
		}
		encoded, err := c.Encoder().Encode(ctx, encoder.Document, texts)
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for i, v := range encoded.Vectors {
			sum += vec.Dot64(v, vectors[i])
		}
		if mean := sum / float64(len(texts)); best.Texts == 0 || mean > best.Mean {
			best = &Agreement{Texts: len(texts), Mean: mean, From: way.from, New: true}
		}
	}
	return best, nil
}

// attachment records the encoder that a user chose for an attached store.
type attachment struct {
	Encoder   string     `json:"encoder"` // encoder spec
	Identity  string     `json:"identity"`
	Agreement *Agreement `json:"agreement"`
}

func attachments() map[string]attachment {
	all := map[string]attachment{}
	if text, err := os.ReadFile(ownFile("attached.json")); err == nil {
		_ = json.Unmarshal(text, &all) // unreadable records are recomputed
	}
	return all
}

// agreed returns how well an encoder agrees with the vectors at a place, either from an
// earlier check or from a new one, which it records together with the choice of the
// encoder.
func agreed(ctx context.Context, place, word string, c *nsfl.Collection) (*Agreement, error) {
	key, identity := stores.Canonical(place), c.Encoder().Identity().String()
	all := attachments()
	if a, ok := all[key]; ok && a.Encoder == word && a.Identity == identity && a.Agreement != nil {
		return a.Agreement, nil
	}
	found, err := Agree(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("comparing the encoder with the stored vectors: %w", err)
	}
	all = maps.Clone(all)
	all[key] = attachment{word, identity, found}
	if text, err := json.MarshalIndent(all, "", "\t"); err == nil {
		writeUserFile(ownFile("attached.json"), string(text))
	}
	return found, nil
}
