package public

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nsfl-go/nsfl/internal/webclient"
)

// small has a little of each benchmark under its authors' names, in their forms, and how
// many documents and queries that is.
func small(t testing.TB, name string) (files map[string]string, documents, queries int) {
	const likes = `{"_id": "Ada Lund", "title": "", "text": "Ada Lund likes Quokkas and Tofu."}
{"_id": "Bo Ek", "title": "", "text": "Bo Ek likes Quokkas."}
`
	switch name {
	case "limit", "limit-small":
		return map[string]string{
			"corpus.jsonl":  likes,
			"queries.jsonl": `{"_id": "query_0", "text": "Who likes Quokkas?"}` + "\n" + `{"_id": "query_1", "text": "Who likes Tofu?"}` + "\n",
			"qrels.jsonl": `{"query-id": "query_0", "corpus-id": "Ada Lund", "score": 1}
{"query-id": "query_0", "corpus-id": "Bo Ek", "score": 1}
{"query-id": "query_1", "corpus-id": "Ada Lund", "score": 1}
`,
		}, 2, 2
	case "limit-plus":
		return map[string]string{
			"corpus.jsonl": likes,
			"limit_quest_queries.jsonl": `{"id": 0, "query": "Who likes Tofu?", "num_docs": 1, "docs": ["Ada Lund"], "original_query": "<mark>Tofu</mark>", "metadata": {"template": "_", "attrs": ["Tofu"], "source": "limit-original"}}
{"id": 1, "query": "Who likes Quokkas but not Tofu?", "num_docs": 1, "docs": ["Bo Ek"], "original_query": "<mark>Quokkas</mark> that are not <mark>Tofu</mark>", "metadata": {"template": "_ that are not _", "attrs": ["Quokkas", "Tofu"]}}
`,
		}, 2, 2
	case "quest":
		query := `{"query": "norwegian trees that are not conifers", "docs": ["Betula"], "original_query": "<mark>Trees of Norway</mark> that are not <mark>Conifers</mark>", "scores": null, "metadata": {"template": "_ that are not _", "domain": "plants"}}` + "\n"
		return map[string]string{
			"train.jsonl": query, "val.jsonl": query, "test.jsonl": query,
			"documents.zip": zipped(t, map[string]string{"documents.jsonl": `{"title": "Betula", "text": "Betula is a tree."}` + "\n"}),
		}, 1, 1
	case "nevir":
		pair := `{"id": "1-2", "WorkerId": 7, "q1": "Which drug is approved?", "q2": "Which drug is not approved?", "doc1": "The drug is approved.", "doc2": "The drug is not approved."}` + "\n"
		return map[string]string{"train.jsonl": pair, "validation.jsonl": pair, "test.jsonl": pair}, 2, 2
	case "excluir":
		return map[string]string{
			"corpus.json":            `["Oslo is a city.", "Bergen is a city.", "Tromsø is a city."]`,
			"test_manual_final.json": `[{"question0": "Which are cities?", "ExcluQ": "Which are cities other than Oslo?", "index": [0, 1]}]`,
		}, 3, 1
	case "negconstraint":
		return map[string]string{"NegConstraint.zip": zipped(t, map[string]string{
			"NegConstraint/":                        "",
			"NegConstraint/corpus.jsonl":            `{"_id": "d1", "title": "", "text": "A fjord."}` + "\n",
			"NegConstraint/queries.jsonl":           `{"_id": "q1", "text": "waters except lakes"}` + "\n",
			"NegConstraint/qrels/test.tsv":          "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
			"__MACOSX/NegConstraint/._corpus.jsonl": "x",
		})}, 1, 1
	}
	t.Fatalf("there is nothing of %s", name)
	return nil, 0, 0
}

// zipped is an archive.
func zipped(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil && text != "" {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// server serves files, which may be changed, and keeps what it was asked.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string]string
	asked []string
}

func serve(t *testing.T, files map[string]string) *server {
	s := &server{files: files}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		name := strings.TrimPrefix(r.URL.Path, "/")
		s.asked = append(s.asked, r.Method+" "+name)
		text, ok := s.files[name]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	t.Cleanup(s.Close)
	return s
}

// gets are the files that were downloaded.
func (s *server) gets() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if name, ok := strings.CutPrefix(a, "GET "); ok {
			out = append(out, name)
		}
	}
	return out
}

// hasty is a client that does not wait.
func hasty() *client {
	c := newClient()
	c.pace = webclient.Pace{Retries: 1, First: time.Microsecond, Most: time.Microsecond}
	return c
}

func benchmark(t *testing.T, name string) Benchmark {
	t.Helper()
	b, err := ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bring prepares and runs.
func bring(ctx context.Context, b Benchmark, dir, from string) (*Manifest, error) {
	j, err := prepare(ctx, hasty(), b, dir, from)
	if err != nil {
		return nil, err
	}
	return j.Run(ctx, nil)
}

// leftovers are the parts of files in a folder.
func leftovers(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, partSuffix) || strings.HasSuffix(path, ".zip") {
			out = append(out, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

func TestPublicTable(t *testing.T) {
	var names []string
	for _, b := range All() {
		names = append(names, b.Name)
		if b.About == "" || b.Licence == "" || b.Split == "" || !strings.HasPrefix(b.Page, "https://") || b.open == nil {
			t.Errorf("%s lacks something: %+v", b.Name, b)
		}
		for _, s := range b.Sources {
			if len(s.Files) == 0 || len(s.Files) > 1 && !s.packed() || s.URL != "" && !strings.HasPrefix(s.URL, "https://") || s.URL == "" && b.manual == "" {
				t.Errorf("%s has the source %+v", b.Name, s)
			}
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("the names are %q", names)
	}
	if _, err := ByName("nope"); err == nil || !strings.Contains(err.Error(), "excluir, limit, limit-plus") {
		t.Errorf("an unknown name gives %v", err)
	}
}

// TestPublicFetch: every benchmark comes from a server and can be read; the second time
// it is there.
func TestPublicFetch(t *testing.T) {
	for _, b := range All() {
		files, documents, queries := small(t, b.Name)
		s := serve(t, files)
		dir := filepath.Join(t.TempDir(), "sets", b.Name)
		j, err := prepare(t.Context(), hasty(), b, dir, s.URL)
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		var size, told int64
		for _, text := range files {
			size += int64(len(text))
		}
		if j.Present != nil || len(j.Downloads) != len(files) || j.Bytes != size || j.Unknown != 0 || len(s.gets()) > 0 {
			t.Errorf("%s: before anything is fetched: %+v, downloaded %q", b.Name, j, s.gets())
		}
		if here, err := exists(dir); here || err != nil {
			t.Errorf("%s: preparing writes", b.Name)
		}
		m, err := j.Run(t.Context(), func(n int64) { told = n })
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		if told != size || m.Documents != documents || m.Queries != queries || m.Licence != b.Licence || len(m.Files) != len(b.files()) {
			t.Errorf("%s: %d of %d bytes, %+v", b.Name, told, size, m)
		}
		for _, f := range m.Files {
			data, err := os.ReadFile(filepath.Join(dir, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			if sum := sha256.Sum256(data); f.SHA256 != hex.EncodeToString(sum[:]) || f.Bytes != int64(len(data)) || !strings.HasPrefix(f.From, s.URL) || (f.Archive != "") != strings.HasSuffix(f.From, ".zip") {
				t.Errorf("%s: %+v", b.Name, f)
			}
		}
		if left := leftovers(t, dir); left != nil {
			t.Errorf("%s leaves %q", b.Name, left)
		}
		s.Close()
		again, err := prepare(t.Context(), hasty(), b, dir, "")
		if err != nil || again.Present == nil || again.Present.Queries != queries {
			t.Errorf("%s: the second time %+v, %v", b.Name, again, err)
		}
	}
}

// TestPublicFromFolder: files that a person has brought are taken, under the authors'
// names or under those that they get.
func TestPublicFromFolder(t *testing.T) {
	for _, b := range All() {
		files, documents, queries := small(t, b.Name)
		from := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // first the authors' folder, then what was made of it
			dir := t.TempDir()
			m, err := bring(t.Context(), b, dir, from)
			if err != nil || m.Documents != documents || m.Queries != queries {
				t.Errorf("%s: %+v, %v", b.Name, m, err)
			}
			from = dir
		}
	}
}

// TestPublicGoesOn: what has come is not fetched again after a failure, and what was cut
// off is replaced.
func TestPublicGoesOn(t *testing.T) {
	b := benchmark(t, "limit")
	files, _, _ := small(t, b.Name)
	dir, qrels := t.TempDir(), files["qrels.jsonl"]
	s := serve(t, files)
	j, err := prepare(t.Context(), hasty(), b, dir, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	delete(files, "qrels.jsonl")
	if _, err := j.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "answers 404") {
		t.Fatalf("a file that is gone gives %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "qrels.jsonl"), []byte("cut o"), 0o644); err != nil {
		t.Fatal(err)
	}
	files["qrels.jsonl"], s.asked = qrels, nil
	m, err := bring(t.Context(), b, dir, s.URL)
	if got := s.gets(); err != nil || m.Queries != 2 || !slices.Equal(got, []string{"qrels.jsonl"}) {
		t.Errorf("the second try fetches %q: %+v, %v", got, m, err)
	}
}

// TestPublicRefuses: every failure says what to do, and leaves nothing half done.
func TestPublicRefuses(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	answering := func(f http.HandlerFunc) string {
		s := httptest.NewServer(f)
		t.Cleanup(s.Close)
		return s.URL
	}
	text := func(text string) string {
		return answering(func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
		})
	}
	limit, quest := benchmark(t, "limit"), benchmark(t, "quest")
	tiny := limit
	tiny.Sources = []Source{{URL: limit.Sources[0].URL, Files: []string{"corpus.jsonl"}, limit: 10}}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "corpus.jsonl"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		b         Benchmark
		dir, from string
		want      []string
	}{
		"no network":   {limit, "", closed.URL, []string{"the connection failed", "check the network and $HTTPS_PROXY", "--from"}},
		"not there":    {limit, "", answering(http.NotFound), []string{"answers 404", "it may have moved: see https://github.com/google-deepmind/limit", "--from"}},
		"broken":       {limit, "", answering(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }), []string{"after 2 tries", "answers 503", "try again later"}},
		"a page":       {limit, "", text("<html>sign in</html>"), []string{"what came is not limit, and was removed", "line 1", "check where it is from"}},
		"no archive":   {quest, "", text("<html>"), []string{"documents.zip is no archive of the kind zip", "check the address"}},
		"another zip":  {quest, "", text(zipped(t, map[string]string{"x.txt": "x"})), []string{"the archive has no file documents.jsonl", "x.txt"}},
		"too large":    {tiny, "", text("more than ten bytes"), []string{"it is larger than 10 bytes", "check where it is from"}},
		"without size": {tiny, "", answering(func(w http.ResponseWriter, r *http.Request) { chunked(w, "more than ten bytes") }), []string{"it is larger than 10 bytes"}},
		"cut off":      {limit, "", answering(cutOff), []string{"the connection failed", "check the network"}},
		"by hand":      {benchmark(t, "excluir"), "", "", []string{"Google Drive", "get corpus.json and test_manual_final.json", "--from"}},
		"address":      {limit, "", "https://", []string{"the address after --from names no host"}},
		"empty folder": {benchmark(t, "negconstraint"), "", t.TempDir(), []string{"does not have corpus.jsonl, queries.jsonl, qrels/test.tsv or NegConstraint.zip, which negconstraint needs"}},
		"somebody's":   {limit, foreign, foreign, []string{"was not fetched by nsfl", "--dir"}},
	} {
		dir := c.dir
		if dir == "" {
			dir = filepath.Join(t.TempDir(), "set")
		}
		_, err := bring(t.Context(), c.b, dir, c.from)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q in it", name, err, want)
			}
		}
		if left := leftovers(t, dir); left != nil {
			t.Errorf("%s leaves %q", name, left)
		}
	}
	if data, err := os.ReadFile(filepath.Join(foreign, "corpus.jsonl")); err != nil || string(data) != "mine" {
		t.Errorf("somebody's file is %q, %v", data, err)
	}
}

func chunked(w http.ResponseWriter, text string) {
	w.(http.Flusher).Flush()
	w.Write([]byte(text))
}

// cutOff promises more than it sends.
func cutOff(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", "100")
	if r.Method == http.MethodGet {
		w.Write([]byte("{}"))
	}
}

// TestPublicChanged: what has changed since, and what is another's, is not touched.
func TestPublicChanged(t *testing.T) {
	b := benchmark(t, "limit-small")
	files, _, _ := small(t, b.Name)
	s, dir := serve(t, files), t.TempDir()
	if _, err := bring(t.Context(), b, dir, s.URL); err != nil {
		t.Fatal(err)
	}
	if _, err := bring(t.Context(), benchmark(t, "limit"), dir, s.URL); err == nil || !strings.Contains(err.Error(), "holds the benchmark limit-small; name another folder with --dir") {
		t.Errorf("another benchmark in the folder gives %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "queries.jsonl"), []byte("edited"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bring(t.Context(), b, dir, s.URL); err == nil || !strings.Contains(err.Error(), "has changed since it was fetched") {
		t.Errorf("a changed file gives %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "queries.jsonl")); err != nil {
		t.Fatal(err)
	}
	if m, err := bring(t.Context(), b, dir, s.URL); err != nil || m.Queries != 2 {
		t.Errorf("a removed file gives %+v, %v", m, err)
	}
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bring(t.Context(), b, dir, s.URL); err == nil || !strings.Contains(err.Error(), "it is damaged") {
		t.Errorf("a damaged manifest gives %v", err)
	}
}

// TestPublicCancelled: a download that is interrupted, or from which nothing comes, ends.
func TestPublicCancelled(t *testing.T) {
	begun, end := make(chan struct{}, 8), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		if r.Method == http.MethodGet {
			w.Write([]byte("{"))
			w.(http.Flusher).Flush()
			begun <- struct{}{}
			<-end
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(end) })
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	if _, err := bring(ctx, benchmark(t, "limit"), dir, s.URL); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted, it says %v", err)
	}
	j, err := prepare(t.Context(), hasty(), benchmark(t, "limit"), dir, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	j.client.timeout = 20 * time.Millisecond
	if _, err := j.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "nothing has come for 20ms") {
		t.Errorf("where nothing comes it says %v", err)
	}
	if left := leftovers(t, dir); left != nil {
		t.Errorf("there are %q", left)
	}
}

func TestPublicRedirect(t *testing.T) {
	request := func(address string) *http.Request { return httptest.NewRequest(http.MethodGet, address, nil) }
	if err := redirect(request("https://b/"), []*http.Request{request("https://a/")}); err != nil {
		t.Error(err)
	}
	for _, via := range [][]*http.Request{{request("https://a/")}, slices.Repeat([]*http.Request{request("http://a/")}, 10)} {
		if err := redirect(request("http://b/"), via); !errors.As(err, new(redirectError)) {
			t.Errorf("after %d requests: %v", len(via), err)
		}
	}
}

func TestPublicDir(t *testing.T) {
	t.Setenv(setsEnv, "here")
	if dir, err := Dir("limit"); err != nil || dir != filepath.Join("here", "limit") {
		t.Errorf("got %q, %v", dir, err)
	}
}

func TestPublicSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 2270000: "2.27 MB", 999999: "1 MB", 899e6: "899 MB", 2 << 30: "2.15 GB"} {
		if got := Size(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
