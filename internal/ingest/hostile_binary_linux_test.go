package ingest

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var (
	hostileBinary = flag.String("hostile.nsfl", "", "the nsfl command that TestHostileBinary measures")
	hostileOnly   = flag.String("hostile.only", "*", "the names of the files that it reads, as a pattern")
)

// TestHostileBinary measures nsfl index and an upload to nsfl serve with each hostile file:
//
//	go build -o /tmp/nsfl ./cmd/nsfl
//	go test ./internal/ingest -run TestHostileBinary -v -hostile.nsfl /tmp/nsfl
func TestHostileBinary(t *testing.T) {
	if *hostileBinary == "" {
		t.Skip("no -hostile.nsfl")
	}
	const mostMemory = 600 << 20
	files := hostileFiles(t, *hostileBytes)
	measure := map[string]func(t *testing.T, name string, content []byte) (memory int64, processor time.Duration){
		"index": indexHostile, "upload": startUploads(t),
	}
	for _, command := range slices.Sorted(maps.Keys(measure)) {
		var memory int64
		var slowest time.Duration
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if chosen, err := filepath.Match(*hostileOnly, name); err != nil {
				t.Fatal(err)
			} else if !chosen {
				continue
			}
			bytes, took := measure[command](t, name, files[name])
			if memory, slowest = max(memory, bytes), max(slowest, took); bytes > mostMemory {
				t.Errorf("%s %s took %d MiB, want at most %d MiB", command, name, bytes>>20, mostMemory>>20)
			}
			if bytes > mostMemory/2 || took > time.Second {
				t.Logf("%s %s: %d MiB and %v of processor time", command, name, bytes>>20, took)
			}
		}
		t.Logf("%s: %d files, at most %d MiB and %v of processor time for one", command, len(files), memory>>20, slowest)
	}
}

func indexHostile(t *testing.T, name string, content []byte) (int64, time.Duration) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(*hostileBinary, "index", "-c", filepath.Join(dir, "collection"), file)
	c.Env = append(os.Environ(), "NSFL_CACHE=off")
	_ = c.Run() // a file that is refused is an error
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	return usage.Maxrss << 10, c.ProcessState.UserTime() + c.ProcessState.SystemTime()
}

// startUploads starts a server and returns a function that uploads a file to it.
func startUploads(t *testing.T) func(*testing.T, string, []byte) (int64, time.Duration) {
	c := exec.Command(*hostileBinary, "serve", "--collections", t.TempDir(), "--listen", "127.0.0.1:0", "--log", "off")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, _, _ := strings.Cut(strings.TrimPrefix(line, "nsfl serves "), ";")
	post := func(path, contentType string, body io.Reader) {
		request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, base+path, body)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", contentType)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode >= 300 {
			t.Fatalf("%s: %s %v", path, response.Status, err)
		}
	}
	post("/v1/collections", "application/json", strings.NewReader(`{"name": "hostile"}`))
	proc := func(name string) string { return fmt.Sprintf("/proc/%d/%s", c.Process.Pid, name) }
	return func(t *testing.T, name string, content []byte) (int64, time.Duration) {
		t.Helper()
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", name)
		if err == nil {
			_, err = part.Write(content)
		}
		if err == nil {
			err = form.Close()
		}
		if err == nil {
			err = os.WriteFile(proc("clear_refs"), []byte("5"), 0) // resets the peak
		}
		if err != nil {
			t.Fatal(err)
		}
		before := processorTime(t, proc("stat"))
		ended, inChildren := make(chan struct{}), make(chan int64)
		go func() { inChildren <- peakOfChildren(proc("task/*/children"), ended) }()
		post("/v1/collections/hostile/files", form.FormDataContentType(), &body)
		close(ended)
		return peakMemory(t, proc("status")) + <-inChildren, processorTime(t, proc("stat")) - before
	}
}

// peakOfChildren returns the greatest peak resident size of the processes in lists of them, as
// often as it can look before ended is closed.
func peakOfChildren(lists string, ended <-chan struct{}) (peak int64) {
	for {
		files, _ := filepath.Glob(lists)
		for _, file := range files {
			list, _ := os.ReadFile(file) // the thread may have ended
			for pid := range strings.FieldsSeq(string(list)) {
				if status, err := os.ReadFile("/proc/" + pid + "/status"); err == nil {
					peak = max(peak, highWater(string(status)))
				}
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(time.Millisecond):
		}
	}
}

// processorTime reads user and system time from a stat file, which counts hundredths of a
// second. Children that have ended are included.
func processorTime(t *testing.T, path string) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var sum time.Duration
	for _, field := range fields[11:15] { // user and system time, then those of children
		var hundredths int64
		if _, err := fmt.Sscan(field, &hundredths); err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(hundredths) * 10 * time.Millisecond
	}
	return sum
}

// peakMemory reads the peak resident size from a status file, in bytes.
func peakMemory(t *testing.T, path string) int64 {
	t.Helper()
	status, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return highWater(string(status))
}

// highWater returns the peak resident size in a status file, or 0 if there is none.
func highWater(status string) int64 {
	_, rest, _ := strings.Cut(status, "VmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(rest, &kilobytes) // a process that has ended has no memory
	return kilobytes << 10
}
