package disktest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// sector is what a disk writes whole or not at all.
const sector = 512

// Image writes to a directory what a disk may hold of another one if the power goes
// after the first n changes. What was synced is there. Of the rest every sector is as
// it was after some write, and every name as it was after some call: none is kept,
// all are, or chance decides for each call or each sector. A sync that failed has
// written anything or nothing, and what it has not written no later one writes, as
// systems do that take such pages for clean.
func (d *Disk) Image(n int, r *rand.Rand, from, to string) error {
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

// image is a disk being made.
type image struct {
	files []*content
	names map[string]int
	dirs  map[string]bool // those that were made, and whether they are there
	chose chooser
}

// content is that of a file: as a process sees it, and as the disk has it.
type content struct{ seen, disk []byte }

// lost reports whether the directory of a file was made and is not there.
func (m *image) lost(path string) bool {
	there, made := m.dirs[filepath.Dir(path)]
	return made && !there
}

// chooser decides what is kept of what was not synced.
type chooser struct {
	*rand.Rand
	mode int // of the contents
	name int // of the names
}

const (
	keepNone = iota
	keepAll
	byCall
	bySector
	modes
)

func (d *Disk) replay(calls []Call, r *rand.Rand) *image {
	m := &image{names: map[string]int{}, dirs: map[string]bool{}, chose: chooser{r, r.IntN(modes), r.IntN(modes)}}
	for range d.count {
		m.files = append(m.files, &content{})
	}
	for path, b := range d.begun {
		id := d.first[path]
		m.names[path] = id
		m.files[id] = &content{seen: append([]byte(nil), b...), disk: append([]byte(nil), b...)}
	}
	synced := syncedBy(calls)
	for i, c := range calls {
		switch c.Kind {
		case Write, Truncate:
			m.change(c, synced[i])
		case Open, Rename, Remove, Mkdir:
			m.rename(c, synced[i])
		}
	}
	return m
}

// syncedBy tells of each call whether what it did is on the disk for sure.
func syncedBy(calls []Call) []bool {
	synced := make([]bool, len(calls))
	waiting := map[int][]int{}    // by file
	renamed := map[string][]int{} // by directory
	wait := func(path string, i int) { renamed[filepath.Dir(path)] = append(renamed[filepath.Dir(path)], i) }
	for i, c := range calls {
		switch c.Kind {
		case Write, Truncate:
			waiting[c.file] = append(waiting[c.file], i)
		case Sync:
			for _, j := range waiting[c.file] {
				synced[j] = !c.failed
			}
			delete(waiting, c.file)
		case Open, Mkdir, Remove:
			if c.made || c.Kind == Remove {
				wait(c.Path, i)
			}
		case Rename:
			// From one directory to another it would need both.
			wait(c.To, i)
		case SyncDir:
			for _, j := range renamed[c.Path] {
				synced[j] = true
			}
			delete(renamed, c.Path)
		}
	}
	return synced
}

// rename does what a call does to names, if it is synced or chosen.
func (m *image) rename(c Call, synced bool) {
	if !c.made && (c.Kind == Open || c.Kind == Mkdir) {
		return
	}
	kept := synced || m.chose.keeps(m.chose.name)
	if c.Kind == Mkdir {
		m.dirs[c.Path] = kept
	}
	if !kept {
		return
	}
	switch c.Kind {
	case Open:
		m.names[c.Path] = c.file
	case Remove:
		delete(m.names, c.Path)
	case Rename:
		rename(m.names, c.Path, c.To)
	}
}

// keeps chooses for a call.
func (c chooser) keeps(mode int) bool { return mode == keepAll || mode != keepNone && c.IntN(2) == 0 }

// change does what a call does to a file.
func (m *image) change(c Call, synced bool) {
	f := m.files[c.file]
	if c.Kind == Truncate {
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
