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

// Fingerprint records the state of a file to detect changes later.
type Fingerprint struct {
	Size     int64
	Modified int64  // nanoseconds since 1970; 0 if unknown
	SHA256   string // of the content on disk, hexadecimal
	Place    string `json:",omitempty"` // where it was
}

// settled is the age that a change must have before the file's time proves its content: file
// systems store times with a resolution as coarse as two seconds, and would not show a second
// change within that time.
const settled = 2 * time.Second

// Compare reports whether the file still has the content recorded in a fingerprint, and
// returns the fingerprint to keep for the next time. A zero fingerprint matches no file.
// Compare reads the file only if its size, time or place differ. Call it before reading the
// documents: a change in between is then detected the next time. Standard input always counts
// as changed.
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
