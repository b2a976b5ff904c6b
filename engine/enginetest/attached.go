package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// Whatever would change something is refused, and changes nothing.
func testReadOnly(t *testing.T, m Maker) {
	docs := m.corpus(20)
	ctx, s := context.Background(), m.stored(t, docs)
	if s.Encoder() != "" {
		t.Errorf("the encoder is %q, which nobody can know", s.Encoder())
	}
	changed := slices.Clone(docs[:3])
	for i := range changed {
		changed[i].Text = "another text"
	}
	for name, err := range map[string]error{
		"Upsert": s.Upsert(ctx, changed),
		"Delete": func() error { _, err := s.Delete(ctx, []string{docs[0].ID}); return err }(),
		"notes":  s.SetNotes(ctx, map[string]string{"a": "b"}),
	} {
		if !errors.Is(err, engine.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	checkNotes(t, s, "", nil)
	s = m.reopened(t, s)
	counts(t, s, docs)
	holds(t, s, docs...)
}

// A store is not opened for vectors of another dimension; the error names both.
func testDimension(t *testing.T, m Maker) {
	attach := m.Fill(t, m.corpus(5))
	if s, err := attach(engine.Options{Dimension: dim, ReadOnly: true}); err != nil {
		t.Error(err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
	s, err := attach(engine.Options{Dimension: dim + 1})
	var mismatch *engine.MismatchError
	if !errors.As(err, &mismatch) || mismatch.Stored != strconv.Itoa(dim) || mismatch.Given != strconv.Itoa(dim+1) {
		t.Errorf("%v, %v", s, err)
	}
}

func testReadTogether(t *testing.T, m Maker) {
	docs := m.corpus(50)
	s := m.stored(t, docs)
	calls := Calls(t, s, docs)
	var all sync.WaitGroup
	for reader := range 4 {
		all.Go(func() {
			for name, call := range calls {
				if err := call(context.Background()); err != nil {
					t.Errorf("reader %d, %s: %v", reader, name, err)
				}
			}
			v := [][]float32{vectorOf(fmt.Sprint(reader))}
			c, err := s.Pool(context.Background(), v, len(docs), nil, v)
			if err != nil || len(c.Refs) != len(docs) {
				t.Errorf("reader %d: %d documents, %v", reader, len(c.Refs), err)
			}
		})
	}
	all.Wait()
}

var odd = []string{"https://example.org/a?b=c&d=%20#e", "../a b", "日本語 😀", "'; --", `"\`, "null", "0", "%_", "a\tb\n", "{}", "A", "á"}

// change makes of a document of ours one of theirs: with an odd id or one that their store
// can have, without passages, with fields that are of one type each, some parts missing,
// and a vector of any length.
func (m Maker) change(i int, d *engine.Document) {
	d.Passages = nil
	if m.ID != nil {
		d.ID = m.ID(i)
	} else if i%3 == 1 {
		d.ID = odd[i/3%len(odd)] + strconv.Itoa(i)
	}
	if i%9 == 4 {
		d.Title = ""
	}
	if i%10 == 5 {
		d.Text = ""
	}
	if !m.Unit {
		for j := range d.Vector {
			d.Vector[j] *= float32(1+i%5) / 2
		}
	}
	fields := map[string]any{"n": i, "even": i%2 == 0, "name": names[i%len(names)]}
	if i%4 > 0 {
		fields["score"] = json.Number(strconv.FormatFloat(float64(i)/8-3.0625, 'f', -1, 64))
	}
	if !m.Flat && i%5 > 0 {
		fields["tags"] = []string{names[i%len(names)], strconv.Itoa(i % 5)}
		fields["place"] = map[string]any{"city": names[i%3], "floor": i % 7}
	}
	d.Metadata = nil
	if i%13 != 8 {
		d.Metadata, _ = json.Marshal(fields) // which are texts and numbers
	}
}

// names are in another order byte by byte than in a dictionary.
var names = []string{"Anna", "anna", "Zoë", "Émile", "", "10", "9", "it's", "a b"}
