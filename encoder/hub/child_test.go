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

// The test binary runs itself as a child that pulls. Where it pulls from is in
// the environment.
const (
	childEnv  = "HUB_TEST_DIR"    // the directory to pull into
	eventsEnv = "HUB_TEST_EVENTS" // events after which the child waits for its end; empty: it does not
	bytesEnv  = "HUB_TEST_BYTES"  // bytes of a file after which it does; empty: it does not
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

// pullChild writes a line for every event.
func pullChild(dir string) error {
	events, bytes := -1, int64(-1)
	fmt.Sscan(os.Getenv(eventsEnv), &events)
	fmt.Sscan(os.Getenv(bytesEnv), &bytes)
	_, err := Pull(context.Background(), Config{Retries: -1}, testModel, dir, func(e Event) {
		fmt.Println(e.State, e.Bytes, e.File)
		events--
		if events == 0 || bytes >= 0 && e.State == Fetching && e.Bytes >= bytes {
			io.Copy(io.Discard, os.Stdin) // which stays open as long as the test lives
		}
	})
	return err
}

// startChild starts a child and returns its lines of output.
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
