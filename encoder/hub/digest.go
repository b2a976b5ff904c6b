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

// digest computes the hashes of a file: the SHA-256, and the id of the git blob
// where that is what the hub has told.
type digest struct {
	io.Writer
	sha256 hash.Hash
	git    hash.Hash // nil where it is not needed
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

// verify compares with what the hub has told about a file, and notes the SHA-256
// where it has told the other hash.
func (d *digest) verify(f *File) error {
	got := hex.EncodeToString(d.sha256.Sum(nil))
	if f.SHA256 != "" && got != f.SHA256 {
		return fmt.Errorf("it has the SHA-256 %s, and the hub says %s", got, f.SHA256)
	}
	if d.git != nil {
		if id := hex.EncodeToString(d.git.Sum(nil)); id != f.GitBlob {
			return fmt.Errorf("as a git blob it has the id %s, and the hub says %s", id, f.GitBlob)
		}
	}
	f.SHA256 = got
	return nil
}

// chunk is how much is read at once: enough for the speed of disks and networks,
// little enough to stop promptly.
const chunk = 256 << 10

// read hashes what r has, and returns how much that was.
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
