package limit

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// unknownMemory is assumed if the memory size cannot be determined.
const unknownMemory = 2 << 30

// DefaultMemory returns half of the memory of the machine or cgroup. The rest is for memory
// maps, caches and encoders.
func DefaultMemory() int64 { return available(os.DirFS("/")) / 2 }

// available returns the memory size that Linux reports.
func available(root fs.FS) int64 {
	total := int64(0)
	least := func(bytes int64) {
		if bytes > 0 && (total == 0 || bytes < total) {
			total = bytes
		}
	}
	if info, err := fs.ReadFile(root, "proc/meminfo"); err == nil {
		if fields := strings.Fields(string(info)); len(fields) > 1 && fields[0] == "MemTotal:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64) // 0: unknown
			least(kilobytes << 10)
		}
	}
	group := ""
	if lines, err := fs.ReadFile(root, "proc/self/cgroup"); err == nil {
		for line := range strings.Lines(string(lines)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
				group = name
			}
		}
	}
	for { // the limits of the cgroup and its ancestors
		if limit, err := fs.ReadFile(root, path.Join("sys/fs/cgroup", group, "memory.max")); err == nil {
			bytes, _ := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64) // "max" means no limit
			least(bytes)
		}
		if group == "" || group == "/" || group == "." {
			break
		}
		group = path.Dir(group)
	}
	if total == 0 {
		return unknownMemory
	}
	return total
}
