package backup

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
)

// BenchmarkSecond measures how much of a collection a second backup stores after some
// documents changed, by the size of the ledger's pieces.
func BenchmarkSecond(b *testing.B) {
	const documents = 20_000
	r := rand.New(rand.NewPCG(1, 1))
	document := func(id int) engine.Document {
		v := make([]float32, 384)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		var text strings.Builder
		for range 120 {
			fmt.Fprintf(&text, "word%d ", r.IntN(20_000))
		}
		return engine.Document{ID: fmt.Sprintf("%08x/%d.md", uint32(id)*2654435761, id), Title: fmt.Sprint("title ", id), Text: text.String(), Vector: v,
			Metadata: fmt.Appendf(nil, `{"source":"folder/%d.md","year":%d,"tags":["t%d","u%d"]}`, id, 1990+r.IntN(40), r.IntN(100), r.IntN(1000))}
	}
	some := func(n, most int) (docs []engine.Document) {
		for _, id := range r.Perm(most)[:n] {
			docs = append(docs, document(id))
		}
		return docs
	}
	for _, small := range []int64{64 << 10, 256 << 10, 1 << 20, maxPiece} {
		for name, changed := range map[string]int{"few": 20, "some": 200} {
			b.Run(fmt.Sprintf("%dKiB/%s", small>>10, name), func(b *testing.B) {
				for range b.N {
					ctx := b.Context()
					c, err := index.Create(ctx, filepath.Join(b.TempDir(), "c"), index.Options{Dimension: 384})
					must(b, err)
					must(b, c.Upsert(ctx, some(documents, documents)))
					repository := New(folder{filepath.Join(b.TempDir(), "backups")})
					repository.small = small
					first, err := repository.Make(ctx, "c", c)
					must(b, err)
					must(b, c.Upsert(ctx, some(changed, documents+changed)))
					second, err := repository.Make(ctx, "c", c)
					must(b, err)
					same := map[Sum]bool{}
					first.addTo(same)
					var ledger, changed int64
					for i, s := range second.Files[0].Pieces {
						ledger += second.Files[0].length(i)
						if !same[s] {
							changed += second.Files[0].length(i)
						}
					}
					b.ReportMetric(float64(first.Stored)/1e6, "MB-first")
					b.ReportMetric(float64(second.Stored)/1e6, "MB-second")
					b.ReportMetric(float64(ledger)/1e6, "MB-ledger")
					b.ReportMetric(float64(changed)/1e6, "MB-ledger-changed")
					b.ReportMetric(float64(second.Added), "pieces-second")
					must(b, c.Close())
				}
			})
		}
	}
}
