package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Backup copies the collection to a new directory.
func (c *Collection) Backup(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	return c.Files(ctx, func(_ Stats, f File) error {
		to, err := os.Create(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		n, err := io.Copy(to, f)
		if err == nil && n != f.Length {
			err = fmt.Errorf("%s: got %d bytes, want %d", f.Name, n, f.Length)
		}
		return errors.Join(err, to.Close())
	})
}
