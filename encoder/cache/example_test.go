package cache_test

import (
	"context"
	"log"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/cache"
)

// A text encoded once is not encoded again, in this process or another.
func Example() {
	ctx := context.Background()
	var slow encoder.Encoder // any
	dir, err := os.UserCacheDir()
	if err != nil {
		log.Fatal(err)
	}
	e := cache.Open(ctx, slow, filepath.Join(dir, "nsfl", "vectors"), cache.Options{
		MaxBytes:  256 << 20,
		OnTrouble: func(err error) { log.Print(err) },
	})
	defer e.Close()
	encoded, err := e.Encode(ctx, encoder.Document, []string{"a dog on a beach"})
	if err != nil {
		log.Fatal(err)
	}
	_ = encoded.Vectors
	log.Printf("%+v", e.Stats())
}
