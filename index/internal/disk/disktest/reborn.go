package disktest

import (
	"os"
	"strings"
)

// Reborn returns the disk as another process finds it after this one died, as a copy of a
// directory: all writes are visible, but unsynced ones are still unsynced.
func (d *Disk) Reborn(from, to string) (*Disk, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return nil, err
	}
	moved := func(path string) string {
		if rest, ok := strings.CutPrefix(path, from); ok {
			return to + rest
		}
		return path
	}
	n := &Disk{begun: map[string][]byte{}, first: map[string]int{}, names: map[string]int{}, count: d.count, asked: d.asked}
	for path, b := range d.begun {
		n.begun[moved(path)], n.first[moved(path)] = b, d.first[path]
	}
	for path, id := range d.names {
		n.names[moved(path)] = id
	}
	for _, c := range d.calls {
		c.Path, c.To = moved(c.Path), moved(c.To)
		n.calls = append(n.calls, c)
	}
	var err error
	n.vfs, err = register(n)
	return n, err
}
