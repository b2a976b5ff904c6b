package hub

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
)

// part is what has come of a file.
type part struct {
	root    *os.Root
	want    File
	file    *os.File
	sum     *digest // of all that is in file
	size    int64   // of file
	etag    string  // that the server gave with the first bytes
	best    int64   // the largest size there was
	spliced bool    // the bytes are of more than one answer
}

// note says which content a part is of. It is written before the part's first
// byte. One that was not written to its end is not JSON, and the part counts as
// nothing.
type note struct {
	Hash string `json:"hash"`
	Size int64  `json:"size"`
	ETag string `json:"etag,omitempty"`
}

func noteOf(f File, etag string) note {
	hash := f.GitBlob
	if hash == "" {
		hash = f.SHA256
	}
	return note{hash, f.Size, etag}
}

// openPart opens or makes the part of a file. What is there of other content is
// thrown away.
func openPart(ctx context.Context, root *os.Root, want File) (*part, error) {
	for _, name := range []string{want.Name + partSuffix, want.Name + noteSuffix} {
		if _, _, err := plainFile(root, name); err != nil {
			return nil, err
		}
	}
	if dir := path.Dir(want.Name); dir != "." {
		if err := root.MkdirAll(dir, 0o777); err != nil {
			return nil, explainDisk(err)
		}
	}
	file, err := root.OpenFile(want.Name+partSuffix, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, explainDisk(err)
	}
	p := &part{root: root, want: want, file: file, sum: newDigest(want)}
	if err := p.load(ctx); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

// load reads what an earlier pull has left.
func (p *part) load(ctx context.Context) error {
	var n note
	content, err := p.root.ReadFile(p.want.Name + noteSuffix)
	if err != nil || json.Unmarshal(content, &n) != nil || n != noteOf(p.want, n.ETag) {
		return p.empty()
	}
	info, err := p.file.Stat()
	if err != nil {
		return explainDisk(err)
	}
	if info.Size() > p.want.Size {
		return p.empty()
	}
	if p.size, err = p.sum.read(ctx, p.file); err != nil {
		return explainDisk(err)
	}
	p.etag, p.best, p.spliced = n.ETag, p.size, p.size > 0
	return nil
}

func (p *part) empty() error {
	_, err := p.file.Seek(0, io.SeekStart)
	if err := errors.Join(err, p.file.Truncate(0)); err != nil {
		return explainDisk(err)
	}
	p.sum, p.size, p.etag, p.spliced = newDigest(p.want), 0, "", false
	return nil
}

// begin prepares for the first byte.
func (p *part) begin(etag string) error {
	if err := p.empty(); err != nil {
		return err
	}
	content, err := json.Marshal(noteOf(p.want, etag))
	if err != nil {
		return err
	}
	if err := p.root.WriteFile(p.want.Name+noteSuffix, content, 0o666); err != nil {
		return explainDisk(err)
	}
	p.etag = etag
	return nil
}

func (p *part) write(b []byte) error {
	n, err := p.file.Write(b)
	p.sum.Write(b[:n]) //nolint:errcheck // it never fails
	p.size += int64(n)
	p.best = max(p.best, p.size)
	return explainDisk(err)
}

// discard removes the part.
func (p *part) discard() error {
	return errors.Join(p.empty(), p.file.Close(),
		remove(p.root, p.want.Name+partSuffix), remove(p.root, p.want.Name+noteSuffix))
}

// keep brings the part to the disk.
func (p *part) keep() error { return explainDisk(errors.Join(p.file.Sync(), p.file.Close())) }
