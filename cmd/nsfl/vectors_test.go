package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/vectors"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/retrieve"
)

// TestExportImport: what is exported can be imported again, and is the same.
func TestExportImport(t *testing.T) {
	dir := t.TempDir()
	corpus := filepath.Join(dir, "corpus.jsonl")
	lines := `{"_id": "a", "title": "Apples", "text": "Apples ripen in autumn.", "year": 2001}
{"_id": "b", "text": "Boats are hauled out in autumn."}
{"_id": "c", "title": "Clocks", "text": "Clocks go back in autumn.", "metadata": {"year": 2003}}
`
	if err := os.WriteFile(corpus, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(dir, "first")
	must(t, "index", corpus, "-c", first)
	want := answerOf(t, "search", "-c", first, "--explain", "autumn AND fruit")
	for _, name := range []string{"x.jsonl", "x.jsonl.gz", "x.npy"} {
		file, second := filepath.Join(dir, name), filepath.Join(dir, "from-"+name)
		args := []string{"import", file, "-c", second, "--encoder", "builtin"}
		if name == "x.npy" {
			args = append(args, "--side", withoutVectors(t, filepath.Join(dir, "x.jsonl")))
		}
		must(t, "export", "-c", first, file)
		must(t, args...)
		got := answerOf(t, "search", "-c", second, "--explain", "autumn AND fruit")
		if strings.Join(ids(got), " ") != strings.Join(ids(want), " ") {
			t.Errorf("%s: %v, want %v", name, ids(got), ids(want))
		}
		for i := range got.Hits {
			same := name == "x.npy" || math.Abs(got.Hits[i].Score-want.Hits[i].Score) < 1e-6 // npy has no passages
			if !same || got.Hits[i].Title != want.Hits[i].Title || string(got.Hits[i].Metadata) != string(want.Hits[i].Metadata) {
				t.Errorf("%s: hit %d is %+v, want %+v", name, i, got.Hits[i], want.Hits[i])
			}
		}
	}
}

// withoutVectors writes the rows of a file without their vectors, as jq 'del(.vector)' does.
func withoutVectors(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	for line := range strings.Lines(string(content)) {
		var row map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		delete(row, "vector")
		kept, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, kept...), '\n')
	}
	path += ".rows.jsonl"
	if err := os.WriteFile(path, out, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestImportBareVectors: vectors that nobody said the encoder of can be searched by
// example alone.
func TestImportBareVectors(t *testing.T) {
	dir := t.TempDir()
	file, col := filepath.Join(dir, "x.npy"), filepath.Join(dir, "bare")
	w, err := vectors.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := w.Write(vectors.Row{Vector: []float32{1, float32(i), 0}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	must(t, "import", file, "-c", col)
	a := answerOf(t, "search", "-c", col, "-k", "2", "like:row-000000004")
	if got := strings.Join(ids(a), " "); got != "row-000000004 row-000000003" {
		t.Errorf("near row 4: %s", got)
	}
	if code, _, errs := cli("", "search", "-c", col, "dog"); code != exitFailed || !strings.Contains(errs, "come from an unknown encoder") {
		t.Errorf("a text: %d, %s", code, errs)
	}
	if code, _, errs := cli("", "import", file, "-c", filepath.Join(dir, "other"), "--encoder", "builtin"); code != exitFailed || !strings.Contains(errs, "3 dimensions") {
		t.Errorf("the wrong encoder: %d, %s", code, errs)
	}
}

func TestVector(t *testing.T) {
	type result struct {
		Formula   string
		Vector    []float64
		Objective float64
		Method    string
	}
	objectives := map[string]float64{}
	for name, flag := range map[string]string{"exact": "--mode=sqo", "geometric": "--mode=geo-opt"} {
		var r result
		if err := json.Unmarshal([]byte(must(t, "vector", flag, "dog AND NOT leash")), &r); err != nil {
			t.Fatal(err)
		}
		length := 0.0
		for _, x := range r.Vector {
			length += x * x
		}
		if len(r.Vector) != 384 || math.Abs(length-1) > 1e-5 {
			t.Errorf("%s: %d numbers of length² %v", name, len(r.Vector), length)
		}
		objectives[name] = r.Objective
	}
	if objectives["exact"] < objectives["geometric"]-1e-6 {
		t.Errorf("objective of exact: got %v, want at least %v, that of geometric", objectives["exact"], objectives["geometric"])
	}
}

// TestVectorFindsAsSearch: the vector that nsfl vector prints is the one that mode sqo
// searches by: with it a store finds the same documents in the same order, whatever
// the form of the formula.
func TestVectorFindsAsSearch(t *testing.T) {
	dir := t.TempDir()
	file, col := filepath.Join(dir, "demo.jsonl"), filepath.Join(dir, "demo")
	corpus, err := fs.ReadFile(demo.Files(), "corpus.jsonl")
	if err == nil {
		err = os.WriteFile(file, corpus, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	must(t, "index", file, "-c", col)
	queries, err := demo.Queries()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, q := range queries {
		if seen[q.Template] {
			continue
		}
		seen[q.Template] = true
		for _, from := range [][]string{{"-c", col}, {"--demo"}, {"-c", col, "--profile", "paper"}} {
			var v retrieve.Vector
			if err := json.Unmarshal([]byte(must(t, append([]string{"vector", q.Formula}, from...)...)), &v); err != nil {
				t.Fatal(err)
			}
			want := ids(answerOf(t, append([]string{"search", "-k", "20", "--mode", "sqo", q.Formula}, from...)...))
			if got := nearest(t, from, v.Vector, 20); len(want) != 20 || !slices.Equal(got, want) {
				t.Errorf("%s in %s: the vector finds %v, a search %v", q.Formula, from, got, want)
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("there are %d templates", len(seen))
	}
}

// nearest are the k documents of a collection that are nearest to a vector.
func nearest(t *testing.T, from []string, v []float32, k int) (ids []string) {
	t.Helper()
	flags := collectionFlags{demo: from[0] == "--demo"}
	if !flags.demo {
		flags.collection = from[1]
	}
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	c, err := flags.open(cmd, workspace.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	found, err := c.Store().Pool(t.Context(), [][]float32{v}, k, nil, [][]float32{v})
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int, len(found.Refs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(found.Similarities[0][b], found.Similarities[0][a]), found.Refs[a].Compare(found.Refs[b]))
	})
	docs, err := c.Store().Documents(t.Context(), found.Refs, engine.NoParts)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range order[:min(k, len(order))] {
		ids = append(ids, docs[i].ID)
	}
	return ids
}

// TestModelPull: a model is pulled from a hub and used by its name. The hub is a local
// server with the smallest model of the right kind.
func TestModelPull(t *testing.T) {
	const commit = "0123456789012345678901234567890123456789"
	root := "../../encoder/onnx/testdata/bge"
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, file := strings.CutPrefix(r.URL.Path, "/BAAI/bge-large-en-v1.5/resolve/"+commit+"/")
		if !file {
			writeListing(t, w, root, commit)
			return
		}
		if r.Header.Get("Authorization") != "" {
			t.Error("a token was sent that nobody has given")
		}
		w.Header().Set("X-Repo-Commit", commit)
		http.ServeFile(w, r, filepath.Join(root, filepath.FromSlash(name)))
	}))
	defer hub.Close()
	t.Setenv("HF_ENDPOINT", hub.URL)
	t.Setenv("NSFL_MODELS", t.TempDir())
	out := must(t, "model", "pull", "bge-large-en-v1.5")
	if !strings.Contains(out, "--encoder BAAI/bge-large-en-v1.5") {
		t.Errorf("pulled: %s", out)
	}
	if out := must(t, "model", "pull", "bge-large-en-v1.5"); !strings.Contains(out, "up to date") {
		t.Errorf("pulled again: %s", out)
	}
	if out := must(t, "model", "list"); !strings.Contains(out, "BAAI/bge-large-en-v1.5") {
		t.Errorf("list: %s", out)
	}
	folder := "onnx:" + filepath.Join(os.Getenv("NSFL_MODELS"), "BAAI", "bge-large-en-v1.5")
	if out := must(t, "vector", "--encoder", folder, "a dog"); !strings.Contains(out, `"dimension": 32`) {
		t.Errorf("encoded: %s", out)
	}
	// By its name it is held to what the real one has: 512 positions.
	if code, _, errs := cli("", "vector", "--encoder", "bge-large-en-v1.5", "a dog"); code != exitFailed || !strings.Contains(errs, "512 tokens exceed the model's 32") {
		t.Errorf("by its name: %d, %s", code, errs)
	}
}

// needRuntime skips where ONNX Runtime is not installed.
func needRuntime(t *testing.T) {
	t.Helper()
	if _, err := ort.Find(); err != nil {
		t.Skip(err)
	}
}

// TestPictures: a folder of pictures, indexed and searched by words, formulas and
// pictures, with a tiny CLIP. Its weights are random: only identity can be expected of
// it.
func TestPictures(t *testing.T) {
	needRuntime(t)
	folder, err := filepath.Abs("../../encoder/onnx/testdata/clip")
	if err != nil {
		t.Fatal(err)
	}
	const photos = "../../encoder/picture/testdata"
	col := filepath.Join(t.TempDir(), "photos")
	out := must(t, "index", photos, "--pictures", "-c", col, "--encoder", "onnx:"+folder)
	if !strings.Contains(out, " stored from ") {
		t.Errorf("indexed: %s", out)
	}
	if out := must(t, "index", photos, "--pictures", "-c", col); !strings.Contains(out, "0 documents (0 passages) stored") {
		t.Errorf("indexed again: %s", out)
	}
	all := answerOf(t, "search", "-c", col, "-k", "50", "dog AND NOT ball")
	if len(all.Hits) < 3 {
		t.Fatalf("found %v", ids(all))
	}
	for _, h := range all.Hits {
		a := answerOf(t, "search", "-c", col, "-k", "1", "--profile", "paper", "image:"+filepath.Join(photos, h.ID))
		if math.Abs(a.Hits[0].Score-1) > 1e-4 {
			t.Errorf("%s is nearest to %s, by %v", h.ID, a.Hits[0].ID, a.Hits[0].Score)
		}
	}
}

// writeListing lists files as a hub does, with the sha256 of each.
func writeListing(t *testing.T, w http.ResponseWriter, root, commit string) {
	type sibling struct {
		Name string `json:"rfilename"`
		Size int64  `json:"size"`
		LFS  any    `json:"lfs"`
	}
	var files []sibling
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		sum := sha256.Sum256(content)
		files = append(files, sibling{filepath.ToSlash(name), int64(len(content)), map[string]any{"sha256": hex.EncodeToString(sum[:]), "size": len(content)}})
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := json.NewEncoder(w).Encode(map[string]any{"sha": commit, "siblings": files}); err != nil {
		t.Error(err)
	}
}
