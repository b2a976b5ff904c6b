package milvus

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
	"github.com/nsfl-go/nsfl/engine/milvus/wire"
	"github.com/nsfl-go/nsfl/query"
)

// maker makes collections on the server of the tests.
func maker(t testing.TB) enginetest.Maker {
	var mu sync.Mutex
	names := map[string]string{}
	return enginetest.Maker{Overlap: overlap, Slow: true, Open: func(t testing.TB, name string, o engine.Options) (enginetest.Store, error) {
		mu.Lock()
		defer mu.Unlock()
		key := t.Name() + name
		if names[key] == "" {
			names[key] = enginetest.At(sharedURL(t), collection(t, clientOf(t, sharedURL(t))))
		}
		return Open(context.Background(), names[key], o)
	}}
}

func TestConformance(t *testing.T) { enginetest.Run(t, maker(t)) }

// made makes an empty collection of our own.
func made(t *testing.T) (s *Store, url string) {
	t.Helper()
	url = enginetest.At(sharedURL(t), collection(t, clientOf(t, sharedURL(t))))
	c, err := Open(context.Background(), url, engine.Options{Dimension: dim})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*Store), url
}

func TestDivided(t *testing.T) {
	for _, text := range []string{"", "a", strings.Repeat("a", maxText), strings.Repeat("é", maxText), strings.Repeat("a", maxText-1) + "😀"} {
		pieces := divided(text)
		for _, p := range pieces {
			if len(p) > maxText || len(p) == 0 || !utf8.ValidString(p) {
				t.Errorf("a piece of %d bytes", len(p))
			}
		}
		if strings.Join(pieces, "") != text {
			t.Errorf("%d bytes are others in pieces", len(text))
		}
	}
}

// A document with more fields than Milvus has room for is filtered all the same.
func TestOverflow(t *testing.T) {
	s, _ := made(t)
	fields := map[string]any{}
	for i := range 1000 {
		fields[fmt.Sprint("field ", i)] = i
	}
	metadata, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	docs := enginetest.Documents(3)
	docs[0].Metadata = metadata
	ctx := context.Background()
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]int{"7": 1, "8": 0} {
		var p query.Node = &query.Predicate{Field: "field 7", Value: value}
		for _, negated := range []bool{false, true} {
			if negated {
				p, want = &query.Not{X: p}, 3-want
			}
			c, err := s.Pool(ctx, [][]float32{docs[0].Vector}, 10, p, [][]float32{docs[0].Vector})
			if err != nil || len(c.Refs) != want {
				t.Errorf("%s: %d documents, %v, want %d", p, len(c.Refs), err, want)
			}
		}
	}
}

// Of two that replace a document at once, the last one's passages are all there, whatever the
// first one removes after it.
func TestReplacedTogether(t *testing.T) {
	s, _ := made(t)
	ctx, doc := context.Background(), enginetest.Documents(1)
	if err := s.Upsert(ctx, doc); err != nil {
		t.Fatal(err)
	}
	before, err := s.versions(ctx, []string{hashed(doc[0].ID)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Upsert(ctx, doc); err != nil { // the other, from its beginning to its end
		t.Fatal(err)
	}
	if err := s.removePassages(ctx, before); err != nil { // and what the first has yet to do
		t.Fatal(err)
	}
	if n, err := s.passages.count(ctx, ""); n != 2 || err != nil {
		t.Errorf("%d passages, %v", n, err)
	}
	if _, err := s.Delete(ctx, []string{doc[0].ID}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.passages.count(ctx, ""); n != 0 || err != nil {
		t.Errorf("%d passages are left, %v", n, err)
	}
}

// What is ours is known by its marker, and its fields have no roles.
func TestMarker(t *testing.T) {
	_, url := made(t)
	if _, err := Open(context.Background(), url+"&text=title", engine.Options{}); err == nil || !strings.Contains(err.Error(), "leave text=title out") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		"":                            "",
		"{}":                          "has been changed",
		`{"format": 1}`:               "has been changed",
		"x":                           "has been changed",
		`{"format": 9}`:               "",
		`{"format":1,"dimension":16}`: "",
	} {
		found := &wire.DescribeCollectionResponse{Properties: []*wire.KeyValuePair{pair(marker, text)}}
		if made, err := settingsOf(found); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && (made == nil) != (text == "") {
			t.Errorf("%s: %+v, %v", text, made, err)
		}
	}
}
