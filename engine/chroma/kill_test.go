package chroma

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/engine/chroma/chromatest"
	"github.com/nsfl-go/nsfl/engine/enginetest"
)

// killer kills a server in the middle of a request, or when one was answered.
type killer struct {
	http.RoundTripper
	server *chromatest.Server
	path   string // how the address of the request ends
	within bool   // in the middle of it
	done   atomic.Bool
}

func (k *killer) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, k.path) || k.done.Swap(true) {
		return k.RoundTripper.RoundTrip(r)
	}
	if k.within {
		r.Body = &killing{r.Body, k.server, r.ContentLength / 2}
		r.GetBody = nil
		return k.RoundTripper.RoundTrip(r)
	}
	answer, err := k.RoundTripper.RoundTrip(r)
	k.server.Kill()
	return answer, err
}

// killing is a body that kills the server when so much of it was read.
type killing struct {
	io.ReadCloser
	server *chromatest.Server
	left   int64
}

func (b *killing) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.server.Kill()
	} else if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}

func versioned(n, version int) []engine.Document {
	docs := enginetest.Documents(n)
	for i := range docs {
		docs[i].Title = fmt.Sprint(version)
		docs[i].Metadata = fmt.Appendf(nil, `{"n": %d, "version": %d, "only%d": true}`, i, version, version)
		docs[i].Passages[0].Text = docs[i].Title
	}
	return docs
}

// Whenever a server is killed while a batch replaces documents, they are there
// after it is started again, each whole and of one version, and the batch can be
// repeated.
func TestKilled(t *testing.T) {
	const n = 60
	ctx := context.Background()
	srv := started(t, chromatest.Options{Dir: t.TempDir()})
	defer srv.Close()
	s := opened(t, srv.URL(), engine.Options{Dimension: dim, Encoder: "e"})
	if err := s.Upsert(ctx, versioned(n, 0)); err != nil {
		t.Fatal(err)
	}
	if err := s.SetNotes(ctx, map[string]string{"a": "b"}); err != nil {
		t.Fatal(err)
	}
	passagesID, documentsID := s.passages[strings.LastIndex(s.passages, "/"):], s.documents[strings.LastIndex(s.documents, "/"):]
	usual := s.http.Transport
	moments := []*killer{
		{path: documentsID + "/upsert", within: true},
		{path: documentsID + "/upsert"},
		{path: documentsID + "/get"},
		{path: passagesID + "/upsert", within: true},
		{path: passagesID + "/upsert"},
		{path: passagesID + "/delete"},
	}
	if testing.Short() {
		moments = moments[:2]
	}
	for i, k := range moments {
		version := i + 1
		k.RoundTripper, k.server = usual, srv
		s.http.Transport = k
		// The last request is the last one: its batch is stored.
		err := s.Upsert(ctx, versioned(n, version))
		if last := k.path == passagesID+"/delete"; (err == nil) != last || !last && !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("killed at %s: %v", k.path, err)
		}
		s.http.Transport = usual
		if err := srv.Restart(ctx); err != nil {
			t.Fatal(err)
		}
		here := whole(t, s, n, version-1, version)
		t.Logf("killed at %s, within: %t: %d of %d are new", k.path, k.within, here, n)
		if stored := k.path == documentsID+"/upsert" && !k.within || err == nil; stored != (here == n) || !stored && here != 0 {
			t.Errorf("killed at %s: %d of %d are new", k.path, here, n)
		}
		if err := s.Upsert(ctx, versioned(n, version)); err != nil {
			t.Fatal(err)
		}
		if here := whole(t, s, n, version, version); here != n {
			t.Errorf("after the batch was repeated, %d of %d are new", here, n)
		}
		if size, err := s.Size(ctx); err != nil || size.Documents != n || size.Vectors != 3*n {
			t.Errorf("after the batch was repeated: %+v, %v", size, err)
		}
	}
	srv.Kill()
	if err := srv.Restart(ctx); err != nil {
		t.Fatal(err)
	}
	again := opened(t, srv.URL(), engine.Options{Dimension: dim, Encoder: "e"})
	if notes, err := again.Notes(ctx, ""); err != nil || notes["a"] != "b" {
		t.Errorf("notes: %v, %v", notes, err)
	}
}

// whole checks that all documents are there, whole and of one of two versions, and
// that they are found by what they say; it counts those of the second.
func whole(t *testing.T, s *Store, n, old, now int) (here int) {
	t.Helper()
	ctx := context.Background()
	docs, _, err := s.List(ctx, engine.Page{Limit: n + 1, Parts: engine.AllParts})
	if err != nil || len(docs) != n {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	for _, d := range docs {
		switch {
		case d.Title != fmt.Sprint(now) && d.Title != fmt.Sprint(old) || len(d.Passages) != 2 || d.Passages[0].Text != d.Title ||
			!strings.Contains(string(d.Metadata), `"version": `+d.Title+`,`):
			t.Errorf("%s is torn: %q, %s, %v", d.ID, d.Title, d.Metadata, d.Passages)
		case d.Title == fmt.Sprint(now):
			here++
		}
	}
	v := [][]float32{enginetest.Documents(1)[0].Vector}
	for text, want := range map[string]int{
		fmt.Sprintf("version:%d", now): here, fmt.Sprintf("only%d:true", now): here, fmt.Sprintf("NOT only%d:true", now): n - here,
	} {
		c, err := s.Pool(ctx, v, n, filterOf(t, text), v)
		if err != nil || len(c.Refs) != want {
			t.Errorf("%s: %d documents, %v, want %d", text, len(c.Refs), err, want)
		}
	}
	return here
}
