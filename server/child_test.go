package server

import (
	"context"
	"fmt"
	"net"
	"os"
)

// childEnv makes the test binary a server of a directory, to be killed.
const childEnv = "NSFL_TEST_SERVER"

func child(dir string) int {
	s, err := New(Config{Root: dir})
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
