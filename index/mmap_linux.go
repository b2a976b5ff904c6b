package index

import "golang.org/x/sys/unix"

// advise asks for huge pages, where the file system has them: a scan touches
// every page. Without them it is slower, not wrong.
func advise(data []byte) { _ = unix.Madvise(data, unix.MADV_HUGEPAGE) }
