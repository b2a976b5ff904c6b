package weaviate

import (
	"context"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// BenchmarkNodes asks which nodes answer, as every search does in the end.
func BenchmarkNodes(b *testing.B) {
	ctx, c := context.Background(), sharedCluster(b)
	opened, err := Open(ctx, c.URL()+"&collection="+collection(b, c), engine.Options{Dimension: dim})
	if err != nil {
		b.Fatal(err)
	}
	defer opened.Close()
	s := opened.(*Store)
	for b.Loop() {
		if err := s.at.intact(ctx, s.hosts[0]); err != nil {
			b.Fatal(err)
		}
	}
}
