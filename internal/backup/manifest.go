package backup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nsfl-go/nsfl/index"
)

// manifestFormat is the newest that is known.
const manifestFormat = 1

// maxManifest bounds the bytes of a manifest: some terabytes of a collection.
const maxManifest = 256 << 20

// Manifest says what a backup is made of.
type Manifest struct {
	Format     int       `json:"format"`
	ID         ID        `json:"id"`
	Time       time.Time `json:"time"` // when it was begun
	Collection string    `json:"collection"`
	Encoder    string    `json:"encoder"` // its identity
	Documents  int       `json:"documents"`
	Generation int64     `json:"generation"` // counts the commits of the collection
	Files      []File    `json:"files"`
}

// File is a file of a collection.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Piece  int64  `json:"piece"` // bytes of each piece but the last
	Pieces []Sum  `json:"pieces"`
}

// Bytes is how many a collection has when it is restored.
func (m *Manifest) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// sealed is a manifest as it is kept. The checksum is over the bytes of the manifest
// as they stand there.
type sealed struct {
	SHA256   string          `json:"sha256"`
	Manifest json.RawMessage `json:"manifest"`
}

// seal writes a manifest.
func (m *Manifest) seal() ([]byte, error) {
	content, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	return json.Marshal(&sealed{hex.EncodeToString(sum[:]), content})
}

// readManifest reads what seal has written, for an id.
func readManifest(id ID, content []byte) (*Manifest, error) {
	var s sealed
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, errors.New("it is not a manifest of a backup")
	}
	if sum := sha256.Sum256(s.Manifest); hex.EncodeToString(sum[:]) != s.SHA256 {
		return nil, errors.New("it does not have its checksum")
	}
	m := &Manifest{}
	decoder := json.NewDecoder(bytes.NewReader(s.Manifest))
	if err := decoder.Decode(m); err != nil {
		return nil, errors.New("it is not a manifest of a backup")
	}
	return m, m.check(id)
}

// check holds a manifest to what a backup can be: it comes from outside, and files are
// written by it.
func (m *Manifest) check(id ID) error {
	switch {
	case m.Format > manifestFormat:
		return fmt.Errorf("it is of format %d; this version reads up to %d, a newer one of nsfl reads it", m.Format, manifestFormat)
	case m.ID != id || m.Format < 1:
		return errors.New("it is that of another backup")
	}
	seen := map[string]bool{}
	for _, f := range m.Files {
		switch {
		case !index.IsFile(f.Name) || seen[f.Name]:
			return fmt.Errorf("a collection has no such file as %q", f.Name)
		case f.Bytes < 0 || f.Piece < 1 || f.Piece > maxPiece:
			return fmt.Errorf("%s has %d bytes in pieces of %d", f.Name, f.Bytes, f.Piece)
		case int64(len(f.Pieces)) != f.Bytes/f.Piece+min(1, f.Bytes%f.Piece):
			return fmt.Errorf("%s has %d pieces of %d bytes, which are not %d", f.Name, len(f.Pieces), f.Piece, f.Bytes)
		}
		seen[f.Name] = true
	}
	return nil
}

// length is that of a piece.
func (f *File) length(piece int) int64 { return min(f.Piece, f.Bytes-int64(piece)*f.Piece) }
