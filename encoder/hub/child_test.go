package hub

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// The test binary runs itself as a child that pulls a model. The environment configures
// the child.
const (
	childEnv  = "HUB_TEST_DIR"    // the directory to pull into
	eventsEnv = "HUB_TEST_EVENTS" // number of events after which the child waits to be killed; empty for never
	bytesEnv  = "HUB_TEST_BYTES"  // bytes of a file after which the child waits to be killed; empty for never
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := pullChild(dir); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// pullChild prints a line for every event.
func pullChild(dir string) error {
	events, bytes := -1, int64(-1)
	fmt.Sscan(os.Getenv(eventsEnv), &events)
	fmt.Sscan(os.Getenv(bytesEnv), &bytes)
	_, err := Pull(context.Background(), "", testModel, dir, func(e Event) {
		fmt.Println(e.State, e.Bytes, e.File)
		events--
		if events == 0 || bytes >= 0 && e.State == Fetching && e.Bytes >= bytes {
			io.Copy(io.Discard, os.Stdin) // stdin stays open as long as the test runs
		}
	})
	return err
}

// startChild starts a child and returns a scanner of its output.
func startChild(t *testing.T, dir string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childEnv+"="+dir), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	_, err = cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

func (s State) String() string {
	return [...]string{"listed", "up to date", "resuming", "fetching", "retrying", "verified", "installed"}[s]
}
