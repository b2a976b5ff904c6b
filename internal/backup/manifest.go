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

// manifestFormat is the newest supported format.
const manifestFormat = 1

// maxManifest limits the size of a manifest, enough for a collection of some terabytes.
const maxManifest = 256 << 20

// Manifest describes a backup.
type Manifest struct {
	Format     int       `json:"format"`
	ID         ID        `json:"id"`
	Time       time.Time `json:"time"` // when it was started
	Collection string    `json:"collection"`
	Encoder    string    `json:"encoder"` // its identity
	Documents  int       `json:"documents"`
	Generation int64     `json:"generation"` // of the collection
	Files      []File    `json:"files"`
}

// File is a file of a collection.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Piece  int64  `json:"piece"` // size of each piece but the last
	Pieces []Sum  `json:"pieces"`
}

// Bytes returns the size of the restored collection.
func (m *Manifest) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// sealed is the stored form of a manifest. The checksum covers the exact bytes of the
// manifest.
type sealed struct {
	SHA256   string          `json:"sha256"`
	Manifest json.RawMessage `json:"manifest"`
}

func (m *Manifest) seal() ([]byte, error) {
	content, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	return json.Marshal(&sealed{hex.EncodeToString(sum[:]), content})
}

// readManifest decodes the output of seal for an id.
func readManifest(id ID, content []byte) (*Manifest, error) {
	var s sealed
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, errors.New("it is not a backup manifest")
	}
	if sum := sha256.Sum256(s.Manifest); hex.EncodeToString(sum[:]) != s.SHA256 {
		return nil, errors.New("its checksum does not match")
	}
	m := &Manifest{}
	decoder := json.NewDecoder(bytes.NewReader(s.Manifest))
	if err := decoder.Decode(m); err != nil {
		return nil, errors.New("it is not a backup manifest")
	}
	return m, m.check(id)
}

// check validates a manifest: it is untrusted input that determines which files are
// written.
func (m *Manifest) check(id ID) error {
	switch {
	case m.Format > manifestFormat:
		return fmt.Errorf("it has format %d, but this version supports up to %d; use a newer version of nsfl", m.Format, manifestFormat)
	case m.ID != id || m.Format < 1:
		return errors.New("it belongs to another backup")
	}
	seen := map[string]bool{}
	for _, f := range m.Files {
		switch {
		case !index.IsFile(f.Name) || seen[f.Name]:
			return fmt.Errorf("%q is not a file of a collection", f.Name)
		case f.Bytes < 0 || f.Piece < 1 || f.Piece > maxPiece:
			return fmt.Errorf("%s has %d bytes in pieces of %d", f.Name, f.Bytes, f.Piece)
		case int64(len(f.Pieces)) != f.Bytes/f.Piece+min(1, f.Bytes%f.Piece):
			return fmt.Errorf("%s has %d pieces of %d bytes, which do not add up to %d", f.Name, len(f.Pieces), f.Piece, f.Bytes)
		}
		seen[f.Name] = true
	}
	return nil
}

func (f *File) length(piece int) int64 { return min(f.Piece, f.Bytes-int64(piece)*f.Piece) }
