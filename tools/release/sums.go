package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
)

// sum writes the checksums of all files in the format of sha256sum -c.
func (r *release) sum() error {
	var b bytes.Buffer
	root := os.DirFS(r.out)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
		return err
	})
	if err != nil {
		return err
	}
	return r.write("SHA256SUMS", b.Bytes())
}
