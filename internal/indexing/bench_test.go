package indexing

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// BenchmarkAgain compares indexing a table whose rows are already stored with the first
// time.
func BenchmarkAgain(b *testing.B) {
	dir := b.TempDir()
	put(b, dir, map[string]string{"rows.jsonl": rows("Prune the roses in March, before the buds swell, and water the tulips instead.", 0, 500)})
	opened, err := workspace.Open(b.Context(), filepath.Join(b.TempDir(), "c"), workspace.Options{Make: true})
	if err != nil {
		b.Fatal(err)
	}
	defer opened.Close()
	began := time.Now()
	pass := func() Report {
		p, err := bring(b.Context(), opened, Options{}, dir)
		if err == nil { // as after an interruption
			err = opened.NoteFiles(b.Context(), map[string]*ingest.Fingerprint{"rows.jsonl": {Place: p.found[0].Place}})
		}
		if err != nil {
			b.Fatal(err)
		}
		return p.Report
	}
	pass()
	first := time.Since(began)
	for b.Loop() {
		if x := pass(); x.Same != 500 {
			b.Fatalf("got %+v, want 500 unchanged documents", x)
		}
	}
	b.ReportMetric(500/first.Seconds(), "rows-encoded/s")
	b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "rows-compared/s")
}
