package hub

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKilledAnywhere kills a pull after its first event, the next pull after its second,
// and so on, starting from an empty directory or from one with an older model. The result
// is never mistaken for a complete model, and the next pull completes it.
func TestKilledAnywhere(t *testing.T) {
	for _, older := range []bool{false, true} {
		kills := 0
		for n := 1; ; n++ {
			s := newHub(t)
			dir := t.TempDir()
			if older {
				_, err := s.pull(t, dir)
				must(t, err)
				s.change(func() {
					s.commit = strings.Repeat("d1", 20)
					s.files["model.onnx"] = randomBytes(2, 300_000)
					s.files["onnx/config #1.js"] = []byte("other")
				})
			}
			cmd, lines := startChild(t, dir, endpointEnv+"="+s.URL, fmt.Sprintf("%s=%d", eventsEnv, n))
			last, seen := "", 0
			for seen < n && lines.Scan() {
				last = lines.Text()
				seen++
			}
			if seen < n { // it has ended
				must(t, cmd.Wait())
				s.expectModel(t, dir)
				break
			}
			must(t, cmd.Process.Kill())
			_ = cmd.Wait()
			kills++
			switch m, err := ReadManifest(dir); {
			case err == nil && m.Commit == s.commit:
				t.Errorf("killed after %q, the new model has a manifest", last)
			case err == nil:
				for _, f := range m.Files {
					content, err := os.ReadFile(filepath.Join(dir, f.Name))
					if err != nil || sha256Of(content) != f.SHA256 {
						t.Errorf("killed after %q, %s does not match the manifest: %v", last, f.Name, err)
					}
				}
			case !errors.Is(err, ErrIncomplete):
				t.Errorf("killed after %q: %v", last, err)
			}
			_, err := s.pull(t, dir)
			must(t, err)
			s.expectModel(t, dir)
			if t.Failed() {
				t.Fatalf("killed after %q, event %d", last, n)
			}
		}
		if kills < 8 {
			t.Errorf("killed only %d times", kills)
		}
		t.Logf("older model %v: killed %d times", older, kills)
	}
}

// TestKilledDownload kills a pull in the middle of a large file, several times. The next
// one always resumes with the byte after those on the disk and does not download complete
// files again.
func TestKilledDownload(t *testing.T) {
	const kills, size = 6, 8 << 20
	s := newHub(t)
	s.change(func() {
		s.files["model.onnx"] = randomBytes(4, size)
		s.files["empty.txt"] = []byte("not empty, and complete before the large file begins")
		s.onContent = only(func(w http.ResponseWriter, r *http.Request, n int) bool {
			if n >= kills {
				return false
			}
			// The server stops a megabyte further each time: the child cannot finish.
			limit := (n + 1) << 20
			start := 0
			fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start)
			w.Header().Set("Content-Length", fmt.Sprint(size-start))
			if start > 0 {
				w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, size-1, size))
				w.WriteHeader(http.StatusPartialContent)
			}
			w.Write(s.content("model.onnx")[start:limit])
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return true
		})
	})
	dir := t.TempDir()
	var onDisk []int64
	for kill := range kills {
		// Every second child is killed after it has received everything, the others halfway.
		enough := int64(kill)<<20 + 1<<(19+kill%2)
		cmd, lines := startChild(t, dir, endpointEnv+"="+s.URL, fmt.Sprintf("%s=%d", bytesEnv, enough))
		for lines.Scan() {
			var bytes int64
			if _, err := fmt.Sscanf(lines.Text(), "fetching %d model.onnx", &bytes); err == nil && bytes >= enough {
				break
			}
		}
		must(t, cmd.Process.Kill())
		_ = cmd.Wait()
		info, err := os.Stat(filepath.Join(dir, "model.onnx.part"))
		must(t, err)
		onDisk = append(onDisk, info.Size())
	}
	r, err := s.pull(t, dir)
	must(t, err)
	s.expectModel(t, dir)
	requests := s.requests("model.onnx")
	if len(requests) != kills+1 {
		t.Fatalf("%d requests", len(requests))
	}
	for i, there := range onDisk {
		if want := fmt.Sprintf("bytes=%d-", there); requests[i+1].rang != want {
			t.Errorf("after kill %d: %s, want %s", i, requests[i+1].rang, want)
		}
		if there < int64(i)<<20+1<<19 {
			t.Errorf("after kill %d %d bytes are on the disk", i, there)
		}
	}
	small := int64(len(s.files["onnx/config #1.js"])) // downloaded after it
	if want := size - onDisk[kills-1]; r.Bytes != want+small || int64(requests[kills].served) != want {
		t.Errorf("the last pull got %d bytes and was served %d, want %d", r.Bytes, requests[kills].served, want)
	}
	if n := len(s.requests("empty.txt")); n != 1 {
		t.Errorf("the file before it was fetched %d times", n)
	}
	t.Logf("killed with %d on the disk", onDisk)
}
