//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// scan measures float32 scans of q query vectors and OpenBLAS's sgemm in turn,
// several rounds, one thread each, and prints medians and ratios.
func scan(ctx context.Context, args []string) error {
	const d, rounds = 1024, 5
	f := flag.NewFlagSet("scan", flag.ExitOnError)
	n := f.Int("n", 325_000, "rows")
	_ = f.Parse(args) // it exits
	peer, err := buildPeer(ctx)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(peer))
	rows, err := hugeRows(*n * d)
	if err != nil {
		return err
	}
	ours, theirs := map[int][]float64{}, map[int][]float64{}
	qs := []int{1, 4, 8}
	for range rounds {
		for _, q := range qs {
			a, err := timeDots(rows, d, q)
			if err != nil {
				return err
			}
			b, err := timePeer(ctx, peer, *n, d, q)
			if err != nil {
				return err
			}
			ours[q], theirs[q] = append(ours[q], a), append(theirs[q], b)
		}
	}
	fmt.Printf("float32, %d × %d, one thread, medians of %d\n", *n, d, rounds)
	head(os.Stdout, "q", "nsfl, ms", "OpenBLAS sgemm, ms", "times faster", "times q = 1")
	one := median(ours[1])
	for _, q := range qs {
		a, b := median(ours[q]), median(theirs[q])
		fmt.Printf("| %d | %.1f | %.1f | %.2f | %.2f |\n", q, a, b, b/a, a/one)
	}
	return nil
}

// buildPeer compiles sgemm.c into a directory of its own.
func buildPeer(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "nsfl-bench-*")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "sgemm")
	cmd := exec.CommandContext(ctx, "gcc", "-O2", "-o", binary, "bench/peer/sgemm.c", "-lopenblas")
	if out, err := cmd.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("compiling the peer (it needs gcc and libopenblas-dev, run from the repository's root): %w\n%s", err, out)
	}
	return binary, nil
}

// hugeRows returns memory in huge pages, filled with numbers.
func hugeRows(size int) ([]float32, error) {
	data, err := unix.Mmap(-1, 0, 4*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("taking %d bytes: %w", 4*size, err)
	}
	_ = unix.Madvise(data, unix.MADV_HUGEPAGE)                       // without them it is slower for both
	rows := unsafe.Slice((*float32)(unsafe.Pointer(&data[0])), size) // aligned, since they begin a mapping
	r := rand.New(rand.NewPCG(1, 1))
	for i := range rows {
		rows[i] = r.Float32() - 0.5
	}
	return rows, nil
}

func timeDots(rows []float32, d, q int) (float64, error) {
	vectors := make([][]float32, q)
	for j := range vectors {
		vectors[j] = rows[j*d : (j+1)*d]
	}
	packed, err := vec.Pack(vectors...)
	if err != nil {
		return 0, err
	}
	out := make([][]float32, q)
	for j := range out {
		out[j] = make([]float32, len(rows)/d)
	}
	start := time.Now()
	packed.Dots(out, rows)
	return inMS(time.Since(start)), nil
}

func timePeer(ctx context.Context, peer string, n, d, q int) (float64, error) {
	out, err := exec.CommandContext(ctx, peer, strconv.Itoa(n), strconv.Itoa(d), strconv.Itoa(q), "1").Output()
	if err != nil {
		return 0, fmt.Errorf("running the peer: %w", err)
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}
