//go:build unix

package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/engine"
)

// The test binary runs itself as a child where another process is needed. The environment
// selects what the child does.
const (
	childEnv = "INDEX_TEST_CHILD" // one of children
	dirEnv   = "INDEX_TEST_DIR"
	fromEnv  = "INDEX_TEST_FROM"
)

var children = map[string]func(ctx context.Context, dir string, from int) error{
	"crash": crashChild, "compact": compactChild, "open": openChild, "rewrite": rewriteChild,
}

func TestMain(m *testing.M) {
	if child, ok := children[os.Getenv(childEnv)]; ok {
		from, _ := strconv.Atoi(os.Getenv(fromEnv))
		if err := child(context.Background(), os.Getenv(dirEnv), from); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startChild starts a child and returns its output.
func startChild(t *testing.T, name, dir string, from int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+name, dirEnv+"="+dir, fromEnv+"="+strconv.Itoa(from))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

// crashChild runs one operation after another and reports each when done, until killed.
func crashChild(ctx context.Context, dir string, from int) error {
	c, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	for n := from; ; n++ {
		if err := operationAt(n).run(ctx, c); err != nil {
			return err
		}
		fmt.Println("done", n)
	}
}

// compactChild is crashChild with continuous compactions.
func compactChild(ctx context.Context, dir string, from int) error {
	c, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	failed := make(chan error)
	go func() {
		for {
			if err := c.Compact(ctx); err != nil {
				failed <- err
			}
		}
	}()
	for n := from; ; n++ {
		select {
		case err := <-failed:
			return err
		default:
		}
		if err := operationAt(n).run(ctx, c); err != nil {
			return err
		}
		fmt.Println("done", n)
	}
}

// TestCrash kills a writing process at random moments. Every reported operation must be
// present, and the one in progress completely or not at all.
func TestCrash(t *testing.T) { crash(t, "crash") }

// TestCrashCompacting does the same with continuous compactions.
func TestCrashCompacting(t *testing.T) { crash(t, "compact") }

func crash(t *testing.T, child string) {
	seed := uint64(time.Now().UnixNano())
	r := source(t, seed)
	dir := filepath.Join(t.TempDir(), "c")
	c, err := Create(t.Context(), dir, Options{Dimension: testDim})
	must(t, err)
	must(t, c.Close())
	var held model
	kills, next, committed := 0, 0, 0
	for kill := range rounds(t, 200, 1) {
		kills++
		cmd, lines := startChild(t, child, dir, next)
		timer := time.AfterFunc(time.Duration(r.IntN(60))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		done := next
		for lines.Scan() {
			n, err := strconv.Atoi(strings.TrimPrefix(lines.Text(), "done "))
			if err != nil {
				t.Fatalf("kill %d: the child says %s", kill, lines.Text())
			}
			done = n + 1
		}
		_ = cmd.Wait()
		timer.Stop()
		for ; next < done; next++ {
			held = held.after(operationAt(next))
		}
		if landed := afterCrash(t, dir, held, operationAt(next), r.IntN(2) == 0); landed {
			held = held.after(operationAt(next))
			next++
			committed++
		}
		if t.Failed() {
			t.Fatalf("after kill %d, operation %d", kill, next)
		}
	}
	t.Logf("%d kills, %d operations, %d of them killed after their commit", kills, next, committed)
	tell(t, "kills of a process that writes", kills)
}

// afterCrash checks a collection and reports whether the operation in progress took
// effect.
func afterCrash(t *testing.T, dir string, held model, op operation, readOnly bool) (landed bool) {
	t.Helper()
	expectSound(t, dir)
	c, err := Open(t.Context(), dir, Options{ReadOnly: readOnly})
	must(t, err)
	defer func() { must(t, c.Close()) }()
	if held.differs(t.Context(), c) == nil {
		return false
	}
	must(t, held.after(op).differs(t.Context(), c))
	return true
}

// openChild tries to open a collection for writing.
func openChild(ctx context.Context, dir string, _ int) error {
	c, err := Open(ctx, dir, Options{})
	if err != nil {
		fmt.Println(errors.Is(err, engine.ErrLocked), err)
		return nil
	}
	fmt.Println("opened")
	return c.Close()
}

func TestOneWriter(t *testing.T) {
	c := create(t, Options{})
	cmd, lines := startChild(t, "open", c.dir, 0)
	lines.Scan()
	if got := lines.Text(); !strings.HasPrefix(got, "true opening ") || !strings.Contains(got, "open for writing elsewhere, in another process") {
		t.Errorf("the second writer says %q", got)
	}
	must(t, cmd.Wait())
	must(t, c.Close())
	cmd, lines = startChild(t, "open", c.dir, 0)
	lines.Scan()
	if got := lines.Text(); got != "opened" {
		t.Errorf("after Close the second writer says %q", got)
	}
	must(t, cmd.Wait())
}

func rewriteChild(ctx context.Context, dir string, batches int) error {
	c, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	for n := 1; n <= batches; n++ {
		if err := c.Upsert(ctx, rewritten(n)); err != nil {
			return err
		}
		if n%20 == 0 {
			if err := c.Compact(ctx); err != nil {
				return err
			}
		}
	}
	return c.Close()
}

// TestReaderProcess reads while another process keeps replacing all documents: every call
// sees the documents of one batch.
func TestReaderProcess(t *testing.T) {
	c := create(t, Options{})
	must(t, c.Upsert(t.Context(), rewritten(0)))
	must(t, c.Close())
	batches := 300
	if testing.Short() {
		batches = 60
	}
	cmd, lines := startChild(t, "rewrite", c.dir, batches)
	ended := make(chan string, 1)
	go func() {
		var said strings.Builder
		for lines.Scan() {
			said.WriteString(lines.Text())
		}
		ended <- said.String()
	}()
	reader, err := Open(t.Context(), c.dir, Options{ReadOnly: true})
	must(t, err)
	seen := map[string]bool{}
	for running := true; running; {
		select {
		case said := <-ended:
			if said != "" {
				t.Error(said)
			}
			running = false
		default:
		}
		seen[expectOneBatch(t, reader)] = true
	}
	must(t, cmd.Wait())
	if last := expectOneBatch(t, reader); last != fmt.Sprint(batches) {
		t.Errorf("the reader sees batch %s at the end, want %d", last, batches)
	}
	t.Logf("saw %d of %d batches", len(seen), batches)
	must(t, reader.Close())
	expectSound(t, c.dir)
}
