package hub

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Config holds the settings of a test's pull.
type Config struct {
	Timeout time.Duration // if not zero
	Retries int
}

// pullFrom pulls with short pauses and timeouts.
func (s *testHub) pullFrom(ctx context.Context, c Config, m Model, dir string, progress func(Event)) (Result, error) {
	h, err := open(s.URL)
	if err != nil {
		return Result{}, err
	}
	h.pace, h.timeout = quick, cmp.Or(c.Timeout, h.timeout)
	h.pace.Retries = cmp.Or(c.Retries, 5)
	defer h.close()
	return h.pull(ctx, m, dir, progress)
}

func (s *testHub) pull(t *testing.T, dir string) (Result, error) {
	t.Helper()
	return s.pullFrom(t.Context(), Config{Retries: 3}, testModel, dir, nil)
}

// expectModel checks that a directory holds the hub's model and nothing else.
func (s *testHub) expectModel(t *testing.T, dir string) {
	t.Helper()
	m, err := ReadManifest(dir)
	must(t, err)
	want := []string{lockName, manifestName}
	for name := range s.files {
		if name == "unwanted.bin" {
			continue
		}
		want = append(want, name)
		content, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		if string(content) != string(s.files[name]) {
			t.Errorf("%s differs from the hub's content", name)
		}
		i := slices.IndexFunc(m.Files, func(f File) bool { return f.Name == name })
		if i < 0 || m.Files[i].Size != int64(len(content)) || m.Files[i].SHA256 != sha256Of(content) {
			t.Errorf("unexpected files in the manifest: %+v", m.Files)
		}
	}
	if m.Commit != s.commit || m.Repository != testRepository || m.Revision != "main" || m.Hub != s.URL {
		t.Errorf("unexpected manifest %+v", m)
	}
	slices.Sort(want)
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("got files %q, want %q", got, want)
	}
}

// tree lists the files in a directory and its subdirectories.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	must(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	slices.Sort(names)
	return names
}

// expectError checks that an error contains the expected texts and no secrets.
func expectError(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("got no error, want %q", want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got %q, want %q in it", err, w)
		}
	}
	for _, secret := range []string{testToken, testSignature + "&", "=" + testSignature} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("%q shows a secret", err)
		}
	}
}

func TestPull(t *testing.T) {
	s := newHub(t)
	dir := filepath.Join(t.TempDir(), "models", "m")
	var states []State
	var last Event
	r, err := s.pullFrom(t.Context(), Config{}, testModel, dir, func(e Event) {
		if len(states) == 0 || states[len(states)-1] != e.State {
			states = append(states, e.State)
		}
		if e.Done < last.Done || e.Total != 300_016 || e.Done > e.Total {
			t.Errorf("unexpected event %+v after %+v", e, last)
		}
		last = e
	})
	must(t, err)
	s.expectModel(t, dir)
	if !slices.Equal(r.Fetched, []string{"empty.txt", "model.onnx", "onnx/config #1.js"}) || r.Bytes != 300_016 {
		t.Errorf("unexpected result %+v", r)
	}
	if states[0] != Listed || !slices.Contains(states, Fetching) || !slices.Contains(states, Verified) || last.State != Installed || last.Done != last.Total {
		t.Errorf("unexpected states %v, last event %+v", states, last)
	}
	s.change(func() {
		if len(s.tokens) != 1 || !s.tokens[""] {
			t.Errorf("the other server received the tokens %v", s.tokens)
		}
	})
	second, err := s.pullFrom(t.Context(), Config{}, testModel, dir, func(e Event) {
		if e.State != Listed && e.State != UpToDate {
			t.Errorf("%s %s, although everything is up to date", e.File, e.State)
		}
		last = e
	})
	must(t, err)
	if last.State != UpToDate || last.State.String() != "up to date" || last.Done != last.Total {
		t.Errorf("unexpected last event %+v", last)
	}
	if len(second.Fetched) != 0 || second.Bytes != 0 || !reflect.DeepEqual(second.Manifest.Files, r.Manifest.Files) {
		t.Errorf("got %+v, after %+v", second, r)
	}
	for name, want := range map[string]int{"model.onnx": 1, "onnx/config #1.js": 1, "empty.txt": 0} { // empty files need no request
		if n := len(s.requests(name)); n != want {
			t.Errorf("%s was asked for %d times, want %d", name, n, want)
		}
	}
}

// Files that differ from the hub's are downloaded, and only those.
func TestChanged(t *testing.T) {
	s := newHub(t)
	dir := t.TempDir()
	_, err := s.pull(t, dir)
	must(t, err)
	for change, spoil := range map[string]func() error{
		"another byte": func() error {
			return os.WriteFile(filepath.Join(dir, "onnx/config #1.js"), []byte(`{"dimension": 9}`), 0o666)
		},
		"shorter": func() error { return os.Truncate(filepath.Join(dir, "onnx/config #1.js"), 3) },
		"missing": func() error { return os.Remove(filepath.Join(dir, "onnx/config #1.js")) },
	} {
		must(t, spoil())
		r, err := s.pull(t, dir)
		must(t, err)
		if !slices.Equal(r.Fetched, []string{"onnx/config #1.js"}) {
			t.Errorf("%s: unexpected files downloaded: %q", change, r.Fetched)
		}
		s.expectModel(t, dir)
	}
	must(t, os.Remove(filepath.Join(dir, manifestName)))
	_, err = s.pull(t, dir)
	must(t, err)
	s.expectModel(t, dir)
	if n := len(s.requests("model.onnx")); n != 1 {
		t.Errorf("the large file was fetched %d times", n)
	}
}

// The old model stays until the new one is complete.
func TestNewCommit(t *testing.T) {
	s := newHub(t)
	dir := t.TempDir()
	_, err := s.pull(t, dir)
	must(t, err)
	old := s.files["model.onnx"]
	before, err := ReadManifest(dir)
	must(t, err)
	s.change(func() {
		s.commit = strings.Repeat("d1", 20)
		s.files["model.onnx"] = randomBytes(2, 200_000)
		s.files["onnx/config #1.js"] = []byte("other")
		s.onContent = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
			if name == "model.onnx" {
				w.WriteHeader(http.StatusNotImplemented)
			}
			return name == "model.onnx"
		}
	})
	_, err = s.pull(t, dir)
	expectError(t, err, "model.onnx", "answers 501")
	content, err := os.ReadFile(filepath.Join(dir, "model.onnx"))
	must(t, err)
	after, err := ReadManifest(dir)
	must(t, err)
	if string(content) != string(old) || !reflect.DeepEqual(before, after) {
		t.Error("the older model has changed, though the newer one could not be fetched")
	}
	s.change(func() { s.onContent = nil })
	r, err := s.pull(t, dir)
	must(t, err)
	if len(r.Fetched) != 2 {
		t.Errorf("unexpected files downloaded: %q", r.Fetched)
	}
	s.expectModel(t, dir)
}

// TestNamesOnly uses a hub whose listing has neither sizes nor hashes.
func TestNamesOnly(t *testing.T) {
	s := newHub(t)
	s.onList = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		s.serveList(w, r, false)
		return true
	}
	_, err := s.pull(t, t.TempDir())
	expectError(t, err, "the hub gives no size or no hash for model.onnx", "use another hub")
}

func TestOnePullAtOnce(t *testing.T) {
	s := newHub(t)
	dir := t.TempDir()
	began, ended := make(chan struct{}), make(chan struct{})
	s.onContent = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		if name == "model.onnx" { // requested only once
			close(began)
			<-ended
		}
		return false
	}
	first := make(chan error, 1)
	go func() {
		_, err := s.pullFrom(t.Context(), Config{}, testModel, dir, nil)
		first <- err
	}()
	<-began
	_, err := s.pullFrom(t.Context(), Config{}, testModel, dir, nil)
	close(ended)
	expectError(t, err, "another pull into "+dir+" is running")
	must(t, <-first)
	s.expectModel(t, dir)
}

func TestCancel(t *testing.T) {
	s := newHub(t)
	dir := t.TempDir()
	s.onContent = func(w http.ResponseWriter, r *http.Request, name string, n int) bool {
		if name != "model.onnx" || n > 0 {
			return false
		}
		w.Header().Set("Content-Length", "300000")
		w.Write(s.content(name)[:100_000])
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
		return true
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	_, err := s.pullFrom(ctx, Config{Timeout: time.Minute}, testModel, dir, func(e Event) {
		if e.File == "model.onnx" && e.Bytes == 100_000 {
			cancel(reason)
		}
	})
	if !errors.Is(err, reason) {
		t.Fatalf("unexpected error %v", err)
	}
	if _, err := ReadManifest(dir); !errors.Is(err, ErrIncomplete) {
		t.Errorf("unexpected state of the manifest: %v", err)
	}
	var resumed Event
	_, err = s.pullFrom(t.Context(), Config{}, testModel, dir, func(e Event) {
		if e.State == Resuming {
			resumed = e
		}
	})
	must(t, err)
	s.expectModel(t, dir)
	if want := (Event{State: Resuming, File: "model.onnx", Bytes: 100_000, Done: 100_000, Total: 300_016}); resumed != want {
		t.Errorf("got %+v, want %+v", resumed, want)
	}
	if r := s.requests("model.onnx"); len(r) != 2 || r[1].rang != "bytes=100000-" {
		t.Errorf("unexpected requests %+v", r)
	}
}
