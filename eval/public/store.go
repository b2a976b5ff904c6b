package public

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// partSuffix ends the name of a file that is not whole yet.
const partSuffix = ".part"

// store writes what r has to a file of a folder. Under its name the file is whole.
func store(ctx context.Context, dir, name string, r io.Reader, most int64) (f File, err error) {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return f, err
	}
	part, err := os.Create(path + partSuffix)
	if err != nil {
		return f, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(part, sum), &bounded{ctx: ctx, r: r, left: most, most: most})
	if err == nil {
		err = part.Sync()
	}
	err = errors.Join(err, part.Close())
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return f, errors.Join(err, os.RemoveAll(part.Name()))
	}
	return File{Name: name, Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// sizeError says that there is more of something than is taken.
type sizeError int64

func (e sizeError) Error() string {
	return fmt.Sprintf("it is larger than %s, several times what is published; nothing of it was kept, check where it is from", Size(int64(e)))
}

// bounded reads until the context is done, and no more than so many bytes.
type bounded struct {
	ctx        context.Context
	r          io.Reader
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, sizeError(b.most)
	}
	return n, err
}

// unpack gives the files of an archive that are wanted to write, one after the other.
// They may lie in a folder of the archive.
func unpack(archive *zip.Reader, wanted []string, write func(name string, r io.Reader) error) error {
	for _, name := range wanted {
		var found *zip.File
		var others []string
		for _, f := range archive.File {
			path := strings.ReplaceAll(f.Name, `\`, "/")
			switch {
			case path != name && !strings.HasSuffix(path, "/"+name):
				others = append(others, path)
			case found != nil:
				return fmt.Errorf("the archive has two files %s", name)
			default:
				found = f
			}
		}
		if found == nil {
			return fmt.Errorf("the archive has no file %s; it has %q", name, others[:min(len(others), 8)])
		}
		r, err := found.Open()
		if err == nil {
			err = errors.Join(write(name, r), r.Close())
		}
		if err != nil {
			return fmt.Errorf("unpacking %s: %w", name, err)
		}
	}
	return nil
}

// unpackFile takes the wanted files out of an archive on the disk.
func unpackFile(ctx context.Context, path, dir string, s Source) (out []File, err error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("%s is no archive of the kind zip: %w", s.Title(), err)
	}
	defer archive.Close() //nolint:errcheck // it was only read
	err = unpack(&archive.Reader, s.Files, func(name string, r io.Reader) error {
		f, err := store(ctx, dir, name, r, s.most())
		out = append(out, f)
		return err
	})
	return out, err
}

// digest is the SHA-256 of a file, and its size.
func digest(ctx context.Context, path string) (sum string, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	const all = 1 << 62
	n, err = io.Copy(h, &bounded{ctx: ctx, r: f, left: all, most: all})
	return hex.EncodeToString(h.Sum(nil)), n, err
}

// Size is a number of bytes as people say it.
func Size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	value, units := float64(n)/1000, []string{"kB", "MB", "GB", "TB"}
	for value >= 999.5 && len(units) > 1 {
		value, units = value/1000, units[1:]
	}
	return fmt.Sprintf("%.3g %s", value, units[0])
}
