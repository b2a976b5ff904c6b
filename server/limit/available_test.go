package limit

import (
	"testing"
	"testing/fstest"
)

func TestAvailable(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	const meminfo = "MemTotal:        8000000 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  int64
	}{
		"nothing is known": {nil, unknownMemory},
		"a machine":        {fstest.MapFS{"proc/meminfo": file(meminfo)}, 8000000 << 10},
		"a container":      {fstest.MapFS{"proc/meminfo": file(meminfo), "proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("536870912\n")}, 512 << 20},
		"no limit":         {fstest.MapFS{"proc/meminfo": file(meminfo), "proc/self/cgroup": file("0::/a\n"), "sys/fs/cgroup/a/memory.max": file("max\n")}, 8000000 << 10},
		"a group in a group": {fstest.MapFS{
			"proc/meminfo": file(meminfo), "proc/self/cgroup": file("1:name=x:/y\n0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("max\n"), "sys/fs/cgroup/a/memory.max": file("1073741824\n"),
		}, 1 << 30},
	} {
		if got := available(c.files); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if DefaultMemory() < 64<<20 {
		t.Errorf("this machine has %d", DefaultMemory())
	}
}
