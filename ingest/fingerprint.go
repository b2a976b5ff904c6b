package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"
)

// Fingerprint is what is kept of a file to know it again.
type Fingerprint struct {
	Size     int64
	Modified int64  // nanoseconds since 1970; 0 is not known
	SHA256   string // of the content as it lies on the disk, hexadecimal
	Place    string `json:",omitempty"` // where it was
}

// settled is how old a change must be before the time of the file vouches for
// its content: file systems keep times as coarsely as two seconds, and a second
// change within them would not show.
const settled = 2 * time.Second

// Compare tells whether the file still has the content of which a fingerprint was
// kept, and what to keep for the next time; a zero fingerprint is that of no file.
// The file is read only if its size, time or place differ. Compare before reading the
// documents: a change that comes in between is then seen the next time. Standard input
// is never the same.
func (s Source) Compare(ctx context.Context, was Fingerprint) (now Fingerprint, same bool, err error) {
	if s.Path == StandardInput {
		return now, false, nil
	}
	if was.Modified != 0 && was.Modified == s.Modified.UnixNano() && was.Size == s.Size && (was.Place == s.Place || was.Place == "") {
		was.Place = s.Place
		return was, true, nil
	}
	if now, err = s.fingerprint(ctx); err != nil {
		return now, false, fmt.Errorf("comparing %s: %w", s.Path, bare(err))
	}
	return now, was.SHA256 == now.SHA256, nil
}

func (s Source) fingerprint(ctx context.Context) (f Fingerprint, err error) {
	file, err := os.Open(s.Path)
	if err != nil {
		return f, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return f, err
	}
	if time.Since(info.ModTime()) > settled {
		f.Modified = info.ModTime().UnixNano()
	}
	hash := sha256.New()
	f.Size, err = io.Copy(hash, &rawReader{ctx: ctx, file: file, progress: func(int64) {}})
	f.SHA256, f.Place = hex.EncodeToString(hash.Sum(nil)), s.Place
	return f, err
}
