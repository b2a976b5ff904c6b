package public

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// manifestName is the file that says what a folder holds.
const manifestName = "nsfl-set.json"

// setsEnv names the folder of fetched sets.
const setsEnv = "NSFL_SETS"

// Dir is where the benchmark of a name is kept unless another folder is named: in the
// user's cache, or in $NSFL_SETS.
func Dir(name string) (string, error) {
	if dir := os.Getenv(setsEnv); dir != "" {
		return filepath.Join(dir, name), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("looking for a place for sets: %w; name one in $%s", err, setsEnv)
	}
	return filepath.Join(dir, "nsfl", "sets", name), nil
}

// Manifest says what was fetched into a folder.
type Manifest struct {
	Benchmark string `json:"benchmark"`
	Page      string `json:"page"`
	Licence   string `json:"licence"`
	Split     string `json:"split"`
	// Documents and Queries, those of the split, are 0 until all is there and was read.
	Documents int    `json:"documents,omitempty"`
	Queries   int    `json:"queries,omitempty"`
	Files     []File `json:"files"`
	// Pending are the files that were being written; what is there of them is no one
	// else's, and is replaced.
	Pending []string `json:"pending,omitempty"`
}

// File is one file of a folder, with where it is from.
type File struct {
	Name    string `json:"name"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	From    string `json:"from"`
	Archive string `json:"archive_sha256,omitempty"` // of what it was taken from
}

// ReadManifest reads that of a folder. Where there is none the error is fs.ErrNotExist.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(data)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w; remove the folder and fetch it again", path, err)
	}
	return m, nil
}

func parseManifest(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if m.Benchmark == "" || m.Split == "" {
		return nil, errors.New("it names no benchmark or no split")
	}
	return &m, nil
}

// file finds a file by its name.
func (m *Manifest) file(name string) (File, bool) {
	i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return File{}, false
	}
	return m.Files[i], true
}

// add puts files into the manifest, in the place of those of their names. None is
// pending then.
func (m *Manifest) add(files []File) {
	m.Pending = nil
	m.Files = slices.DeleteFunc(m.Files, func(have File) bool {
		return slices.ContainsFunc(files, func(f File) bool { return f.Name == have.Name })
	})
	m.Files = append(m.Files, files...)
}

// write replaces the manifest of a folder.
func (m *Manifest) write(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, manifestName)
	if err := os.WriteFile(path+partSuffix, append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(path+partSuffix, path)
}

// exists tells whether there is something at a path.
func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
