package server

import (
	"context"
	"fmt"
	"net"
	"os"
	"runtime/debug"

	"github.com/nsfl-go/nsfl/internal/workspace"
)

// childEnv makes the test binary a server of a directory, to be killed or attacked;
// confinedEnv gives it little memory, and the demo.
const (
	childEnv    = "NSFL_TEST_SERVER"
	confinedEnv = "NSFL_TEST_CONFINED"
)

// confine bounds the memory of this process, where the system can.
var confine func() (Limits, error)

func child(dir string) int {
	c := Config{Root: dir}
	err := error(nil)
	if os.Getenv(confinedEnv) != "" {
		if c.Demo, err = workspace.OpenDemo(context.Background(), "", func() {}); err == nil {
			c.Limits, err = confine()
		}
		debug.SetMemoryLimit(c.Limits.Memory + c.Limits.Memory/2)
	}
	var s *Server
	if err == nil {
		s, err = New(c)
	}
	if err == nil {
		var l net.Listener
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
			fmt.Println(l.Addr())
			err = s.Serve(context.Background(), l)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
