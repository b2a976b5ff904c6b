package index

import "os"

// writable reports whether files can be made in dir.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// onReadOnlyDisk reports whether nobody can make files in dir; the system does not tell.
func onReadOnlyDisk(string) bool { return false }

const (
	noFollow = 0            // links are for administrators
	noLocks  = "win32-none" // SQLite's file layer without locks
)
