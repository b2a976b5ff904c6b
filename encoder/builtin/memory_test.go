package builtin

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// inChild is set in the environment of the process whose memory is measured.
const inChild = "NSFL_TEST_ENCODE"

func init() {
	if os.Getenv(inChild) == "" {
		return
	}
	var t testing.B // only used to fail
	documents := texts(fixture(&t))[900:]
	e := open(&t)
	for range 1000 / len(documents) {
		encode(&t, e, documents...)
	}
	fmt.Println(peakMemory())
	os.Exit(0)
}

// peakMemory returns the peak memory of this process in kB, or 0 if the system does not
// report it.
func peakMemory() int {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.Atoi(strings.TrimSpace(line))
	return n
}

// BenchmarkMemory measures the memory of a new process that encodes a thousand documents.
//
//	go test -run '^$' -bench Memory -benchtime 1x ./encoder/builtin
func BenchmarkMemory(b *testing.B) {
	if peakMemory() == 0 {
		b.Skip("needs /proc to see a process's memory")
	}
	most := 0
	for b.Loop() {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), inChild+"=1")
		out, err := child.CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		n, err := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil {
			b.Fatal(err)
		}
		most = max(most, n)
	}
	b.ReportMetric(float64(most)/1000, "peak-MB")
}
