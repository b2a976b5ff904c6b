package index

import "golang.org/x/sys/unix"

// advise asks for huge pages where the file system supports them: a scan touches every
// page. It is only an optimization.
func advise(data []byte) { _ = unix.Madvise(data, unix.MADV_HUGEPAGE) }
