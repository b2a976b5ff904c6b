package elastic

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// Who may read an index can search it, and nothing that is secret is in an
// error.
func TestReader(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server of its own")
	}
	server := started(t, true)
	defer server.Close()
	as := func(user string) string {
		return "elastic://" + user + ":" + password + "@" + server.Address() + "/?collection=films"
	}
	ctx, docs := context.Background(), enginetest.Documents(10)
	fill(t, as(admin), vectors(dim, "cosine"), docs)
	calls := func(address string) {
		t.Helper()
		s := opened(t, address, engine.Options{})
		for name, call := range enginetest.Calls(t, s, docs) {
			if err := call(ctx); err != nil && !errors.Is(err, engine.ErrReadOnly) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	calls(as(reader))
	t.Setenv("ELASTIC_PASSWORD", password)
	calls("elastic://" + reader + "@" + server.Address() + "/?collection=films")

	for address, say := range map[string]string{
		"elastic://" + server.Address() + "/?collection=films":                     "ELASTIC_API_KEY",
		strings.Replace(as(reader), password, "hunter2", 1):                        "ELASTIC_PASSWORD",
		"elastic://" + server.Address() + "/?collection=films&api_key=hunter2":     "ELASTIC_API_KEY",
		strings.Replace(as(reader), "collection=films", "collection=.security", 1): "view_index_metadata",
	} {
		_, err := Open(ctx, address, engine.Options{})
		if err == nil || !strings.Contains(err.Error(), say) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), password) {
			t.Errorf("got error %v, want the reason without a password", err)
		}
	}
	// Nor can a reader make a collection.
	if _, err := Open(ctx, strings.Replace(as(reader), "collection=films", "collection=new", 1), engine.Options{Dimension: dim}); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("got error %v, want a refusal with 403", err)
	}
}

// TestKilled checks that acknowledged documents survive a killed server, and that others can
// be stored again.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server of its own, twice")
	}
	server := started(t, false)
	defer server.Close()
	ctx := context.Background()
	s := opened(t, enginetest.At(server.URL(), "films"), engine.Options{Dimension: dim})
	docs := enginetest.Documents(100)
	if err := errors.Join(s.Upsert(ctx, docs[:50]), s.SetNotes(ctx, map[string]string{"a": "b"})); err != nil {
		t.Fatal(err)
	}
	stored := make(chan error)
	go func() { stored <- s.Upsert(ctx, docs[50:]) }()
	server.Kill()
	t.Logf("the batch: %v", <-stored) // before, after or in the middle
	if err := server.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range docs[:50] {
		if _, err := s.Get(ctx, docs[i].ID, engine.AllParts); err != nil {
			t.Errorf("%s, which was stored: %v", docs[i].ID, err)
		}
	}
	if notes, err := s.Notes(ctx, ""); err != nil || notes["a"] != "b" {
		t.Errorf("the notes are %v, %v", notes, err)
	}
	if err := s.Upsert(ctx, docs); err != nil {
		t.Fatal(err)
	}
	if size, err := s.Size(ctx); err != nil || size.Documents != 100 || size.Vectors != 300 {
		t.Errorf("got %+v and error %v, want 100 documents and 300 vectors", size, err)
	}
}
