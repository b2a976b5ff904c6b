package hub

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
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

// chunk is the read size: large enough for fast disks and networks, small enough to stop
// promptly.
const chunk = 256 << 10

// read hashes everything in r and returns its size.
func (d *digest) read(ctx context.Context, r io.Reader) (int64, error) {
	buffer := make([]byte, chunk)
	var size int64
	for {
		if err := ctx.Err(); err != nil {
			return size, err
		}
		n, err := r.Read(buffer)
		d.Write(buffer[:n]) //nolint:errcheck // it never fails
		size += int64(n)
		if err == io.EOF {
			return size, nil
		}
		if err != nil {
			return size, err
		}
	}
}
