package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
)

// The test binary runs itself as a child that writes to the cache. The environment
// configures the child.
const (
	dirEnv   = "CACHE_TEST_DIR"
	limitEnv = "CACHE_TEST_LIMIT"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(dirEnv); dir != "" {
		if err := writeChild(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const (
	childBatches = 40
	childBatch   = 25
)

// writeChild encodes batches of overlapping texts and checks the results.
func writeChild(dir string) error {
	var limit int64
	if _, err := fmt.Sscan(os.Getenv(limitEnv), &limit); err != nil {
		return err
	}
	ctx := context.Background()
	f := newFake("a")
	var reported []error
	c := Open(ctx, f, dir, Options{MaxBytes: limit, OnTrouble: collectTrouble(&reported).OnTrouble})
	for i := range childBatches {
		texts := numbered(i*childBatch, (i+2)*childBatch)
		got, err := c.Encode(ctx, encoder.Document, texts)
		if err != nil {
			return err
		}
		for j, text := range texts {
			if bits(got.Vectors[j]) != bits(f.vector(encoder.Document, text)) {
				return fmt.Errorf("%q has a wrong vector", text)
			}
		}
	}
	return errors.Join(append(reported, c.Close())...)
}

// TestProcesses has several processes create, fill and evict one cache at the same time.
func TestProcesses(t *testing.T) {
	for _, limit := range []int64{1 << 30, 1} { // never evicting; always evicting
		dir := t.TempDir()
		var children []*exec.Cmd
		var output [3]strings.Builder
		for i := range output {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), dirEnv+"="+dir, fmt.Sprintf("%s=%d", limitEnv, limit))
			cmd.Stdout, cmd.Stderr = &output[i], &output[i]
			must(t, cmd.Start())
			children = append(children, cmd)
		}
		for i, cmd := range children {
			if err := cmd.Wait(); err != nil {
				t.Errorf("child %d: %v: %s", i, err, output[i].String())
			}
		}
		if limit == 1 {
			continue
		}
		f := newFake("a")
		c := openTest(t, f, dir, Options{})
		expect(t, c, encoder.Document, numbered(0, (childBatches+1)*childBatch)...)
		if n := f.encoded(); n != 0 {
			t.Errorf("%d texts are missing from the cache", n)
		}
	}
}
