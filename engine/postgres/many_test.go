package postgres

import (
	"context"
	"math"
	"strconv"
	"testing"
)

// A table of many rows is neither counted nor read as a whole: its size is the server's
// estimate, a sample is of some blocks, and vectors of any length come by the index that
// there is, in the order of their cosines.
func TestManyRows(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 120,000 rows")
	}
	dsn, ctx := sharedDSN(t), context.Background()
	name := schema(collection(t, dsn))
	run(t, dsn, "CREATE EXTENSION IF NOT EXISTS vector")
	run(t, dsn, "CREATE SCHEMA "+name)
	run(t, dsn, "CREATE TABLE "+name+`.items AS SELECT i AS id, 'text ' || i AS text, ARRAY[(1 + i % 5) * cos(i), (1 + i % 5) * sin(i), (1 + i % 5) * cos(7 * i)]::vector(3) AS embedding FROM generate_series(1, 120000) i`)
	run(t, dsn, "CREATE INDEX ON "+name+".items USING ivfflat (embedding vector_ip_ops) WITH (lists = 50)")
	run(t, dsn, "ANALYZE "+name+".items")
	s := attachedTo(t, dsn+"&table="+name+".items")
	size, err := s.Size(ctx)
	if err != nil || math.Abs(float64(size.Documents)-120_000) > 2000 || size.Dimension != 3 {
		t.Errorf("got %+v and error %v, want about 120,000 documents of 3 dimensions", size, err)
	}
	refs, err := s.Sample(ctx, 500)
	if err != nil || len(refs) != 500 {
		t.Fatalf("a sample of %d, %v", len(refs), err)
	}
	sum := 0
	for _, r := range refs {
		i, err := strconv.Atoi(r.Key)
		if err != nil {
			t.Fatal(err)
		}
		sum += i
	}
	// Some dozen blocks of a hundred rows and more.
	if mean := sum / len(refs); mean < 35_000 || mean > 85_000 {
		t.Errorf("a sample with a mean of %d", mean)
	}
	if s.words != nil {
		t.Error("texts without an index are searched for words")
	}
	near := [][]float32{{1, 0, 1}}
	found, err := s.Pool(ctx, near, 10, nil, near)
	if err != nil || len(found.Refs) != 10 || !found.Approximate || found.UnseenBounds != nil {
		t.Fatalf("got %+v and error %v, want 10 documents, approximately, without bounds", found, err)
	}
	for i, x := range found.Similarities[0] {
		if x < 0.999 {
			t.Errorf("%s has %f", found.Refs[i].Key, x)
		}
	}
}
