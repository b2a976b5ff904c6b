package nsfl_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/nsfl-go/nsfl"
)

func Example() {
	dir, err := os.MkdirTemp("", "photos")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()

	c, err := nsfl.Open(ctx, dir, nil) // embedded collection, built-in encoder
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	err = c.Add(ctx,
		nsfl.Document{ID: "1", Text: "Crowds of people at the beach watching the sunset"},
		nsfl.Document{ID: "2", Text: "An empty beach at sunset, not a footprint in the sand"},
		nsfl.Document{ID: "3", Text: "A quiet forest path on a rainy morning"},
		nsfl.Document{ID: "4", Text: "Tourists and families bathing at a sunny beach"},
	)
	if err != nil {
		log.Fatal(err)
	}

	res, err := c.Search(ctx, `beach AND sunset AND NOT people`, nsfl.Options{K: 1, Explain: true, Compare: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range res.Hits {
		fmt.Println(hit.ID, hit.Snippet.Text)
	}
	fmt.Println("plain retrieval:", res.Plain[0].ID)
	// Output:
	// 2 An empty beach at sunset, not a footprint in the sand
	// plain retrieval: 1
}
