//go:build unix

package index

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// sector is the unit that a disk writes atomically.
const sector = 512

// Image writes to a directory a possible state of another one after a power cut following
// the first n changes. Synced data is present. Of the rest, every sector is as some write
// left it, and every name as some call left it: none is kept, all are, or each call or
// sector is chosen at random. A failed sync may have written anything or nothing, and a
// later sync does not write the rest, as on systems that mark such pages clean.
func (d *testDisk) Image(n int, r *rand.Rand, from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	image := d.replay(d.calls[:n], r)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for path, id := range image.names {
		name, inside := strings.CutPrefix(path, from+string(filepath.Separator))
		if !inside || image.lost(path) {
			continue
		}
		path = filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, image.files[id].disk, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// image is a disk image under construction.
type diskImage struct {
	files []*diskContent
	names map[string]int
	dirs  map[string]bool // directories created, and whether they exist in the image
	chose chooser
}

// content holds a file as processes see it and as it is on disk.
type diskContent struct{ seen, disk []byte }

// lost reports whether the directory of a file was created but does not exist in the
// image.
func (m *diskImage) lost(path string) bool {
	there, made := m.dirs[filepath.Dir(path)]
	return made && !there
}

// chooser decides which unsynced changes are kept.
type chooser struct {
	*rand.Rand
	mode int // for contents
	name int // for names
}

const (
	keepNone = iota
	keepAll
	byCall
	bySector
	modes
)

func (d *testDisk) replay(calls []diskCall, r *rand.Rand) *diskImage {
	m := &diskImage{names: map[string]int{}, dirs: map[string]bool{}, chose: chooser{r, r.IntN(modes), r.IntN(modes)}}
	for range d.count {
		m.files = append(m.files, &diskContent{})
	}
	for path, b := range d.begun {
		id := d.first[path]
		m.names[path] = id
		m.files[id] = &diskContent{seen: append([]byte(nil), b...), disk: append([]byte(nil), b...)}
	}
	synced := syncedBy(calls)
	for i, c := range calls {
		switch c.Kind {
		case writeCall, truncateCall:
			m.change(c, synced[i])
		case openCall, renameCall, removeCall, mkdirCall:
			m.rename(c, synced[i])
		}
	}
	return m
}

// syncedBy reports for each call whether its effect is certainly on disk.
func syncedBy(calls []diskCall) []bool {
	synced := make([]bool, len(calls))
	waiting := map[int][]int{}    // by file
	renamed := map[string][]int{} // by directory
	wait := func(path string, i int) { renamed[filepath.Dir(path)] = append(renamed[filepath.Dir(path)], i) }
	for i, c := range calls {
		switch c.Kind {
		case writeCall, truncateCall:
			waiting[c.file] = append(waiting[c.file], i)
		case syncCall:
			for _, j := range waiting[c.file] {
				synced[j] = !c.failed
			}
			delete(waiting, c.file)
		case openCall, mkdirCall, removeCall:
			if c.made || c.Kind == removeCall {
				wait(c.Path, i)
			}
		case renameCall:
			// A rename between directories would need both synced.
			wait(c.To, i)
		case syncDirCall:
			for _, j := range renamed[c.Path] {
				synced[j] = true
			}
			delete(renamed, c.Path)
		}
	}
	return synced
}

// rename applies a call to the names, if it is synced or chosen.
func (m *diskImage) rename(c diskCall, synced bool) {
	if !c.made && (c.Kind == openCall || c.Kind == mkdirCall) {
		return
	}
	kept := synced || m.chose.keeps(m.chose.name)
	if c.Kind == mkdirCall {
		m.dirs[c.Path] = kept
	}
	if !kept {
		return
	}
	switch c.Kind {
	case openCall:
		m.names[c.Path] = c.file
	case removeCall:
		delete(m.names, c.Path)
	case renameCall:
		renamePaths(m.names, c.Path, c.To)
	}
}

// keeps decides whether to keep a call.
func (c chooser) keeps(mode int) bool { return mode == keepAll || mode != keepNone && c.IntN(2) == 0 }

// change applies a call to the contents of a file.
func (m *diskImage) change(c diskCall, synced bool) {
	f := m.files[c.file]
	if c.Kind == truncateCall {
		f.seen = resized(f.seen, int(c.Offset))
		if synced || m.chose.keeps(m.chose.mode) {
			f.disk = resized(f.disk, int(c.Offset))
		}
		return
	}
	end := int(c.Offset) + len(c.Data)
	f.seen = resized(f.seen, max(end, len(f.seen)))
	copy(f.seen[c.Offset:], c.Data)
	kept := synced || m.chose.keeps(m.chose.mode)
	for at := int(c.Offset) / sector * sector; at < end; at += sector {
		if !synced && m.chose.mode == bySector {
			kept = m.chose.IntN(2) == 0
		}
		if !kept {
			continue
		}
		stop := min(at+sector, len(f.seen))
		f.disk = resized(f.disk, max(stop, len(f.disk)))
		copy(f.disk[at:stop], f.seen[at:stop])
	}
}

func resized(b []byte, n int) []byte {
	if n <= len(b) {
		return b[:n:n]
	}
	return append(b, make([]byte, n-len(b))...)
}
