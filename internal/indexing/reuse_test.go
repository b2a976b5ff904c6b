package indexing

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// keeping is a collection in memory that records the documents stored without encoding.
type keeping struct {
	*memory
	kept []string
}

func (k *keeping) Recall(ctx context.Context, file string) (docs []engine.Document, err error) {
	ids, err := k.DocumentsOf(ctx, file)
	for _, id := range ids {
		d := k.docs[id]
		d.Vector = []float32{1}
		docs = append(docs, d)
	}
	return docs, err
}

func (k *keeping) Upsert(_ context.Context, docs []engine.Document) error {
	for _, d := range docs {
		k.kept, k.docs[d.ID] = append(k.kept, d.ID), d
	}
	return nil
}

func TestRenamedFolderKeepsVectors(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a/x.md": "# X\n\nOne.", "a/y.md": "# Y\n\nTwo."})
	k := &keeping{memory: newMemory()}
	mustBring(t, k, Options{}, dir)
	if k.kept != nil {
		t.Fatalf("kept %q of new files, want none", k.kept)
	}
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"b/z.md": "# Z\n\nThree."})
	report := mustBring(t, k, Options{Prune: true}, dir)
	if want := []string{"b/x.md", "b/y.md"}; !slices.Equal(k.kept, want) || report.Documents != 3 || report.Removed != 2 {
		t.Errorf("kept %q of %+v, want %q", k.kept, report, want)
	}
}
