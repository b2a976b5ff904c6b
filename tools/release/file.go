package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// file is a file or folder of a package. A folder's name ends with a slash.
type file struct {
	name  string
	mode  int64 // default: 0644, or 0755 for a folder
	owner int   // user and group, by number
	data  []byte
}

func (f file) isFolder() bool { return strings.HasSuffix(f.name, "/") }

func (f file) permissions() int64 {
	switch {
	case f.mode != 0:
		return f.mode
	case f.isFolder():
		return 0o755
	}
	return 0o644
}

// tarball writes files in order, all with the same time.
func tarball(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.permissions(), Size: int64(len(f.data)), ModTime: date, Uid: f.owner, Gid: f.owner, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if f.isFolder() {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// zipped writes files like tarball, as a zip file.
func zipped(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(os.FileMode(f.permissions()))
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// compressed compresses data with gzip, without a name or a time.
func compressed(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, 7) // 36.1 MB for a binary in 1.2 s; level 9 takes 4.9 s for 35.9 MB
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// gzipped returns a compressed tarball.
func gzipped(files []file, date time.Time) ([]byte, error) {
	data, err := tarball(files, date)
	if err != nil {
		return nil, err
	}
	return compressed(data)
}

// withFolders inserts each folder before its first file, as dpkg requires.
func withFolders(files []file) []file {
	var all []file
	seen := map[string]bool{"./": true}
	var add func(folder string)
	add = func(folder string) {
		if seen[folder] {
			return
		}
		add(path.Dir(strings.TrimSuffix(folder, "/")) + "/")
		seen[folder] = true
		all = append(all, file{name: folder})
	}
	for _, f := range files {
		add(path.Dir(f.name) + "/")
		all = append(all, f)
	}
	return all
}

func byName(files []file) []file {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

func (r *release) write(name string, data []byte) error {
	at := filepath.Join(r.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o666)
}

func (r *release) writeTarball(name string, files []file) error {
	data, err := gzipped(files, r.date)
	if err != nil {
		return err
	}
	return r.write(name, data)
}
