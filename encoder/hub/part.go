package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
)

// digest computes the hashes of a file: its SHA-256 and, if the hub gives only that, its
// git blob id.
type digest struct {
	io.Writer
	sha256 hash.Hash
	git    hash.Hash // nil if not needed
}

func newDigest(f File) *digest {
	d := &digest{sha256: sha256.New()}
	d.Writer = d.sha256
	if f.GitBlob != "" {
		d.git = sha1.New()
		fmt.Fprintf(d.git, "blob %d\x00", f.Size)
		d.Writer = io.MultiWriter(d.sha256, d.git)
	}
	return d
}

// verify compares the hashes with those the hub gave for f. It sets the SHA-256 if the
// hub gave only the git blob id.
func (d *digest) verify(f *File) error {
	got := hex.EncodeToString(d.sha256.Sum(nil))
	if f.SHA256 != "" && got != f.SHA256 {
		return fmt.Errorf("its SHA-256 is %s, but the hub lists %s", got, f.SHA256)
	}
	if d.git != nil {
		if id := hex.EncodeToString(d.git.Sum(nil)); id != f.GitBlob {
			return fmt.Errorf("its git blob id is %s, but the hub lists %s", id, f.GitBlob)
		}
	}
	f.SHA256 = got
	return nil
}

// copyAll copies r to w in pieces that are large enough for fast disks and networks, and small
// enough to stop promptly. It calls copied, unless that is nil, after each of them.
func copyAll(ctx context.Context, w io.Writer, r io.Reader, copied func(n int)) error {
	for buffer := make([]byte, 256<<10); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buffer)
		if n > 0 {
			if _, err := w.Write(buffer[:n]); err != nil {
				return err
			}
			if copied != nil {
				copied(n)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// part is an incompletely downloaded file.
type part struct {
	want File
	file *os.File
	sum  *digest // of the content of file
	size int64   // of file
}

// openPart opens or creates the part of a file, keeping the bytes of an earlier pull.
func openPart(ctx context.Context, root *os.Root, want File) (*part, error) {
	if dir := path.Dir(want.Name); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	file, err := root.OpenFile(want.Name+partSuffix, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	p := &part{want: want, file: file, sum: newDigest(want)}
	err = copyAll(ctx, p.sum, file, func(n int) { p.size += int64(n) })
	if err == nil && p.size > want.Size {
		err = p.empty()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

// empty discards the content, so that the download starts from the beginning.
func (p *part) empty() error {
	_, err := p.file.Seek(0, io.SeekStart)
	p.sum, p.size = newDigest(p.want), 0
	return errors.Join(err, p.file.Truncate(0))
}

func (p *part) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	p.sum.Write(b[:n]) //nolint:errcheck // it never fails
	p.size += int64(n)
	return n, err
}

// keep flushes the part to disk and closes it.
func (p *part) keep() error { return errors.Join(p.file.Sync(), p.file.Close()) }
