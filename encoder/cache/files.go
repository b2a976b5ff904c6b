package cache

import (
	"fmt"
	"os"
	"path/filepath"
)

// format is that of the tables and values. Another one has files of another name,
// so that versions of the program do not spoil each other's.
const format = 1

// fileName is the file with a number. A damaged file is never written anew: other
// processes may still have it open, and on closing it SQLite removes its log by
// name. All move on to the next number instead.
func fileName(number int) string { return fmt.Sprintf("vectors-%d.%d.db", format, number) }

// newestFile is the highest number there is.
func newestFile(dir string) (number int, ok bool) {
	for n := range fileNumbers(dir) {
		if !ok || n > number {
			number, ok = n, true
		}
	}
	return number, ok
}

// removeOlder removes what damaged files are left. Where the system refuses,
// since they are still open somewhere, the next to open the cache tries again.
func removeOlder(dir string, number int) {
	for n := range fileNumbers(dir) {
		if n >= number {
			continue
		}
		for _, end := range []string{"-shm", "-wal", ""} {
			_ = os.Remove(filepath.Join(dir, fileName(n)+end))
		}
	}
}

func fileNumbers(dir string) map[int]bool {
	found, _ := os.ReadDir(dir) // what cannot be listed will not open either
	numbers := map[int]bool{}
	for _, f := range found {
		var other, n int
		if _, err := fmt.Sscanf(f.Name(), "vectors-%d.%d.db", &other, &n); err == nil && f.Name() == fileName(n) {
			numbers[n] = true
		}
	}
	return numbers
}
