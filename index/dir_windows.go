package index

import "os"

// writable reports whether the process can create files in dir.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "writable-*")
	if err != nil {
		return false
	}
	_ = f.Close()
	return os.Remove(f.Name()) == nil
}

// onReadOnlyDisk reports whether dir is on a read-only file system, which Windows does
// not report.
func onReadOnlyDisk(string) bool { return false }

const (
	noFollow = 0            // only administrators can create links
	noLocks  = "win32-none" // SQLite's file layer without locks
)
