package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/server/mcp"
)

// childEnv makes the test binary a server of a directory, to be killed or attacked;
// confinedEnv gives it little memory, and the demo. keysEnv is a file of keys: with it, the
// server has the least memory, the demo and MCP tools.
const (
	childEnv    = "NSFL_TEST_SERVER"
	confinedEnv = "NSFL_TEST_CONFINED"
	keysEnv     = "NSFL_TEST_KEYS"
)

// confine bounds the memory of this process, where the system can.
var confine func() (Limits, error)

func child(dir string) int {
	c := Config{Root: dir}
	err := lowerLimit(os.Getenv(filesEnv))
	if err == nil && os.Getenv(confinedEnv) != "" {
		if c.Demo, err = workspace.OpenDemo(context.Background(), "", func() {}); err == nil {
			c.Limits, err = confine()
			c.Limits.SearchTime, c.Limits.WriteTime = 10*time.Minute, 10*time.Minute // the machine may be busy
		}
		debug.SetMemoryLimit(c.Limits.Memory + c.Limits.Memory/2)
	}
	if keys := os.Getenv(keysEnv); keys != "" && err == nil {
		c.KeysFile, c.Limits, c.Parser = keys, Limits{Memory: leastMemory}, []string{os.Args[0], ingest.ChildArgument}
		c.Demo, err = workspace.OpenDemo(context.Background(), "", func() {})
		c.Agents = func(c *Collections) http.Handler { return mcp.Handler(c, mcp.Options{AnyHost: true, Role: Read}) }
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

// startChild starts the test binary as a server, which ends with the test.
func startChild(t testing.TB, environment ...string) (c *exec.Cmd, address string) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c = exec.Command(executable)
	c.Env = append(os.Environ(), environment...)
	c.Stderr = t.Output()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()
	})
	if _, err := fmt.Fscanln(out, &address); err != nil {
		t.Fatal(err)
	}
	return c, address
}
