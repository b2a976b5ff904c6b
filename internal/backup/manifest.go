package backup

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
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

// ID names a backup in its place: COLLECTION/TIME-RANDOM. The IDs of a collection sort by
// time.
type ID string

const timeForm = "20060102T150405.000Z"

var idForm = regexp.MustCompile(`^([^/]+)/([0-9]{8}T[0-9]{6}\.[0-9]{3}Z)-[0-9a-f]{8}$`)

func newID(collection string, now time.Time) ID {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	return ID(url.PathEscape(collection) + "/" + now.UTC().Format(timeForm) + "-" + hex.EncodeToString(random[:]))
}

// ParseID parses and validates an id.
func ParseID(text string) (ID, error) {
	m := idForm.FindStringSubmatch(text)
	if m != nil {
		name, nameErr := url.PathUnescape(m[1])
		_, timeErr := time.Parse(timeForm, m[2])
		if nameErr == nil && timeErr == nil && url.PathEscape(name) == m[1] && strings.Trim(name, ".") != "" {
			return ID(text), nil
		}
	}
	return "", fmt.Errorf("%q is not the id of a backup, such as notes/%s-0123abcd; nsfl backup list shows them", text, timeForm)
}

// Collection returns the name of the collection that was backed up.
func (id ID) Collection() string {
	name, _, _ := strings.Cut(string(id), "/")
	name, _ = url.PathUnescape(name) // it was validated
	return name
}

// Time returns when the backup was started.
func (id ID) Time() time.Time {
	m := idForm.FindStringSubmatch(string(id))
	if m == nil {
		return time.Time{}
	}
	t, _ := time.Parse(timeForm, m[2])
	return t
}

const (
	manifestsFolder = "manifests/"
	prunedFolder    = "pruned/"
	manifestEnd     = ".json"
)

func (id ID) name(folder string) string { return folder + string(id) + manifestEnd }

// idOf extracts the id from the name of a manifest.
func idOf(folder, name string) (ID, bool) {
	text, whole := strings.CutSuffix(strings.TrimPrefix(name, folder), manifestEnd)
	id, err := ParseID(text)
	return id, whole && err == nil
}
