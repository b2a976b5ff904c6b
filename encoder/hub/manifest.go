package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// ErrIncomplete reports that a directory holds no model, or one whose pull has not finished.
var ErrIncomplete = errors.New("no complete model found; pull it")

const manifestFormat = 1

// Manifest describes the model in a directory. A pull writes it last.
type Manifest struct {
	Format     int       `json:"format"`
	Hub        string    `json:"hub"` // its address
	Repository string    `json:"repository"`
	Revision   string    `json:"revision"` // as requested
	Commit     string    `json:"commit"`   // that the revision resolved to
	Pulled     time.Time `json:"pulled"`
	Files      []File    `json:"files"`
}

// ReadManifest reads the manifest in a directory. It does not check the files themselves.
func ReadManifest(dir string) (Manifest, error) {
	name := filepath.Join(dir, manifestName)
	content, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("looking for a model in %s: %w", dir, ErrIncomplete)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("looking for a model: %w", err)
	}
	m, err := parseManifest(content)
	if err != nil {
		return Manifest{}, fmt.Errorf("reading %s: %w; pull the model again", name, err)
	}
	return m, nil
}

func parseManifest(content []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(content, &m); err != nil {
		return Manifest{}, fmt.Errorf("it is not a model manifest: %w", err)
	}
	if m.Format != manifestFormat {
		return Manifest{}, fmt.Errorf("its format is %d, this version reads %d", m.Format, manifestFormat)
	}
	if !isHex(m.Commit, 40) || len(m.Files) == 0 {
		return Manifest{}, errors.New("it names no commit or no files")
	}
	return m, nil
}

// write replaces the manifest atomically.
func (m Manifest) write(root *os.Root) error {
	content, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	const partial = manifestName + partSuffix
	if err := remove(root, partial); err != nil { // it may be a link
		return err
	}
	if err := root.WriteFile(partial, append(content, '\n'), 0o666); err != nil {
		return err
	}
	return root.Rename(partial, manifestName)
}

// remove removes a file if it exists.
func remove(root *os.Root, name string) error {
	if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
