package elastic

import (
	"os"
	"syscall"
)

// asNobody is how a program is started that ends when this one does, and that takes itself
// for somebody other than root, as whom Elasticsearch refuses to run: what root has, it has.
func asNobody() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() == 0 {
		const other = 1000
		attr.Cloneflags = syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: other, HostID: 0, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: other, HostID: 0, Size: 1}}
	}
	return attr
}
