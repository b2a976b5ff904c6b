//go:build unix

package index

import (
	"os"
	"testing"
)

// TestPowerCut takes disk images after a power cut at any point of a story. Acknowledged
// changes must be present, the one in progress completely or not at all, and nothing may
// be damaged.
func TestPowerCut(t *testing.T) {
	fresh := freshCopies(t)
	total := 0
	for name, s := range stories(t) {
		r := source(t, 41)
		told := s.begin(t, fresh())
		made := 0
		for step := -1; step < s.number; step++ {
			must(t, told.step(step))
			if step < 0 {
				made = told.disk.Changes()
			}
		}
		must(t, told.end())
		for range rounds(t, 60, storyCount) {
			n, dir := r.IntN(told.disk.Changes()+1), fresh()
			must(t, told.disk.Image(n, r, told.dir, dir))
			told.there = s.base != "" || n >= made
			if err := told.sound(dir, told.heldAt(n)); err != nil {
				t.Fatalf("%s, %d of %d changes: %v", name, n, told.disk.Changes(), err)
			}
			must(t, os.RemoveAll(dir))
			total++
		}
	}
	tell(t, "images of a disk after a power cut", total)
}

// heldAt returns the possible models after the first n changes.
func (s *teller) heldAt(n int) []model {
	held := []model{s.begun}
	for _, m := range s.marks {
		if m.done > n {
			if m.begun < n {
				held = append(held, m.held...)
			}
			break
		}
		held = m.held
	}
	return held
}
