//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/retrieve"
)

func TestCompareAll(t *testing.T) {
	ctx := context.Background()
	docs := documents(30, 8)
	wanted := map[string]engine.Document{}
	for _, d := range docs {
		wanted[d.ID] = d
	}
	e := embedded(t, docs)
	stored, err := e.Get(ctx, docs[5].ID, engine.AllParts)
	if err != nil {
		t.Fatal(err)
	}
	for id := range wanted { // as they are stored, at length 1
		if wanted[id], err = e.Get(ctx, id, engine.AllParts); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := compareAll(ctx, e, wanted); err != nil || b != (back{documents: 30}) {
		t.Errorf("%+v, %v", b, err)
	}
	stored.Text = "another"
	moved := documents(31, 8)[30]
	moved.ID = docs[6].ID
	if err := e.Upsert(ctx, []engine.Document{stored, moved, {ID: "more", Vector: docs[0].Vector}}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Delete(ctx, []string{docs[7].ID}); err != nil {
		t.Fatal(err)
	}
	if b, err := compareAll(ctx, e, wanted); err != nil || b != (back{documents: 30, missing: 1, different: 2, more: 1}) {
		t.Errorf("%+v, %v", b, err)
	}
}

// alike encodes texts of equal length alike.
type alike struct{ encoder.Encoder }

func (alike) Identity() encoder.Identity { return encoder.Identity{Name: "alike", Dimension: 8} }

func (alike) Encode(_ context.Context, _ encoder.Role, texts []string) (encoder.Encoded, error) {
	e := encoder.Encoded{Cut: make([]bool, len(texts))}
	for _, t := range texts {
		v := make([]float32, 8)
		v[len(t)%8] = 1
		e.Vectors = append(e.Vectors, v)
	}
	return e, nil
}

// troubled fails for as long as it is told to.
type troubled struct {
	engine.Collection
	down chan struct{} // closed while it is
}

var errDown = errors.New("node 12 is down")

func (s *troubled) Pool(ctx context.Context, near [][]float32, k int, filter query.Node, vectors [][]float32) (*engine.Columns, error) {
	c, err := s.Collection.Pool(ctx, near, k, filter, vectors)
	select {
	case <-s.down:
		return nil, errDown
	default:
	}
	if err == nil {
		c.Degraded = []string{"a shard is missing"}
	}
	return c, err
}

func (s *troubled) Upsert(ctx context.Context, docs []engine.Document) error {
	select {
	case <-s.down:
		return errDown
	default:
		return s.Collection.Upsert(ctx, docs)
	}
}

// Every second has what happened in it, and what was acknowledged is what is stored.
func TestPressure(t *testing.T) {
	if testing.Short() {
		t.Skip("goes on for two seconds")
	}
	ctx := context.Background()
	q, err := retrieve.Read(ctx, "dog AND NOT ball", retrieve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := embedded(t, documents(50, 8))
	s := &troubled{e, make(chan struct{})}
	p := newPressure(s, &corpus{Encoder: alike{}, Docs: documents(1, 8), Questions: []*retrieve.Question{q}}, 20)
	p.run(ctx, 2, 2, map[int]func(){1: func() { close(s.down); p.event("it is down", nil) }})
	before, after := p.seconds[0], p.seconds[1]
	if before.answered == 0 || before.failed > 0 || before.degraded != before.answered || before.written == 0 || len(before.ms) != before.answered {
		t.Errorf("before: %+v", before)
	}
	if after.failed == 0 || after.unwritten == 0 || fmt.Sprint(after.events) != "[it is down]" {
		t.Errorf("after: %+v", after)
	}
	size, err := e.Size(ctx)
	if err != nil || size.Documents != 50+len(p.acknowledged) {
		t.Errorf("%d documents are acknowledged, %+v, %v", len(p.acknowledged), size, err)
	}
	var out bytes.Buffer
	p.print(&out, 1, 2)
	for _, want := range []string{"| 0 |", "| 1 |", "it is down", "| before |", "| away |", "| back |", "× `node # is down`"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestShorten(t *testing.T) {
	a, b := shorten(errors.New("shard 12 of node 3: no")), shorten(errors.New("shard 7 of node 34: no"))
	if a != b || a != "shard # of node #: no" {
		t.Errorf("%q, %q", a, b)
	}
	if got := shorten(errors.New(strings.Repeat("ä", 500))); len(got) > 300 || strings.ContainsRune(got, '\ufffd') {
		t.Errorf("%d bytes", len(got))
	}
}
