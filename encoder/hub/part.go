package hub

import (
	"context"
	"errors"
	"io"
	"os"
	"path"
)

// part is an incompletely downloaded file.
type part struct {
	root    *os.Root
	want    File
	file    *os.File
	sum     *digest // of the content of file
	size    int64   // of file
	best    int64   // largest size reached
	spliced bool    // the bytes come from more than one response
}

// openPart opens or creates the part of a file, keeping the bytes of an earlier pull.
func openPart(ctx context.Context, root *os.Root, want File) (*part, error) {
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
	if p.size, err = p.sum.read(ctx, file); err == nil && p.size > want.Size {
		err = p.empty()
	}
	if err != nil {
		return nil, errors.Join(explainDisk(err), file.Close())
	}
	p.best, p.spliced = p.size, p.size > 0
	return p, nil
}

func (p *part) empty() error {
	_, err := p.file.Seek(0, io.SeekStart)
	p.sum, p.size, p.spliced = newDigest(p.want), 0, false
	return explainDisk(errors.Join(err, p.file.Truncate(0)))
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
	return errors.Join(p.file.Close(), remove(p.root, p.want.Name+partSuffix))
}

// keep flushes the part to disk and closes it.
func (p *part) keep() error { return explainDisk(errors.Join(p.file.Sync(), p.file.Close())) }
