package vectors_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/internal/vectors"
)

// Bring vectors from numpy together with ids, and take them away as JSON lines.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ids, out := filepath.Join(dir, "ids.jsonl"), filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(ids, []byte(`{"id": "dog"}`+"\n"+`{"id": "cat"}`+"\n"+`{"id": "owl"}`+"\n"), 0o666); err != nil {
		log.Fatal(err)
	}

	r, err := vectors.Open("testdata/f4.npy", ids)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	w, err := vectors.Create(out)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Abort()
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		if err := w.Write(row); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	lines, err := os.ReadFile(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(lines))
	// Output:
	// {"id":"dog","vector":[1,-1,-3,-5]}
	// {"id":"cat","vector":[4,2,0,-2]}
	// {"id":"owl","vector":[7,5,3,1]}
}
