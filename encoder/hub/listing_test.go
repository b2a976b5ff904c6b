package hub

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	someCommit = strings.Repeat("ab", 20)
	someHash   = strings.Repeat("cd", 32)
)

// TestBadListing covers answers that are not listings.
func TestBadListing(t *testing.T) {
	for list, want := range map[string]string{
		``:                             "does not describe a repository",
		`<html>hf_secret`:              `begins with "<html>[token]": it does not describe a repository`,
		`{"sha":`:                      "does not describe a repository",
		`[]`:                           "does not describe a repository",
		`null`:                         "which commit",
		`{"siblings":[]}`:              "which commit",
		`{"sha":"main","siblings":[]}`: "which commit",
		`{"sha":"$C","siblings":[{"rfilename":7}]}`:                                             "does not describe a repository",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":-5,"blobId":"$C"}]}`:          "no size or no hash for model.onnx",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":1e99}]}`:                      "does not describe a repository",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":5,"blobId":"x"}]}`:            "no size or no hash for model.onnx",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":5,"lfs":{"sha256":"$C$C"}}]}`: "no size or no hash for model.onnx",
		`{"sha":"$C"}`: "has no file model.onnx at revision main",
		`{"sha":"$C","siblings":[{"rfilename":"a"},{"rfilename":"b"}]}`: `has no file model.onnx at revision main`,
	} {
		s := newHub(t)
		list = strings.NewReplacer("$C", someCommit, "$H", someHash).Replace(list)
		s.onList = func(w http.ResponseWriter, r *http.Request, n int) bool {
			fmt.Fprint(w, list)
			return true
		}
		m := Model{Repository: testRepository, Files: []string{"model.onnx"}, Optional: []string{"vocab.txt"}}
		dir := filepath.Join(t.TempDir(), "m")
		_, err := s.pullFrom(t.Context(), Config{}, m, dir, nil)
		expectError(t, err, want)
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a directory was created", list)
		}
	}
}

// A listing of many files is read; an endless one is not.
func TestHugeListing(t *testing.T) {
	s := newHub(t)
	for i := range 5_000 {
		s.files[fmt.Sprintf("checkpoint-%d/optimizer.bin", i)] = []byte{}
	}
	names := []string{"model.onnx", "onnx/config #1.js", "empty.txt", "unwanted.bin"}
	dir := t.TempDir()
	_, err := s.pull(t, dir)
	must(t, err)
	s.change(func() {
		for name := range s.files {
			if !slices.Contains(names, name) {
				delete(s.files, name)
			}
		}
		s.onList = func(w http.ResponseWriter, r *http.Request, n int) bool {
			block := strings.Repeat(" ", 1<<20)
			for {
				if _, err := fmt.Fprint(w, block); err != nil {
					return true
				}
			}
		}
	})
	s.expectModel(t, dir)
	_, err = s.pull(t, t.TempDir())
	expectError(t, err, "longer than 67108864 bytes")
}

func TestModel(t *testing.T) {
	for want, m := range map[string]Model{
		`"" is not the name of a repository`:      {Files: []string{"a"}},
		`"a/b/c" is not the name of a repository`: {Repository: "a/b/c", Files: []string{"a"}},
		`"../b" is not the name of a repository`:  {Repository: "../b", Files: []string{"a"}},
		`"a/b?x" is not the name of a repository`: {Repository: "a/b?x", Files: []string{"a"}},
		`"a/.." is not the name of a revision`:    {Repository: "a/b", Revision: "a/..", Files: []string{"a"}},
		`"main x" is not the name of a revision`:  {Repository: "a/b", Revision: "main x", Files: []string{"a"}},
		"no files are named":                      {Repository: "a/b"},
		`"../a" cannot be the name of a file`:     {Repository: "a/b", Files: []string{"../a"}},
		`"a.part" cannot be the name of a file`:   {Repository: "a/b", Files: []string{"a.part"}},
		`"" cannot be the name of a file`:         {Repository: "a/b", Optional: []string{""}},
	} {
		_, err := Pull(t.Context(), "http://127.0.0.1:1", m, t.TempDir(), nil)
		expectError(t, err, want)
	}
	_, err := Pull(t.Context(), "", testModel, "", nil)
	expectError(t, err, "no directory is named")
}

func TestChoose(t *testing.T) {
	have := map[string]File{}
	for _, name := range []string{"onnx/b.onnx", "a.json", "[x].json"} {
		have[name] = File{Name: name, SHA256: someHash}
	}
	have["unverified"] = File{Name: "unverified"}
	for _, c := range []struct {
		files, optional []string
		want            string
	}{
		{[]string{"a.json"}, nil, "a.json"},
		{[]string{"[x].json"}, nil, "[x].json"},
		{[]string{"onnx/b.onnx", "a.json"}, []string{"none", "a.json"}, "a.json onnx/b.onnx"},
		{nil, []string{"none", "a.json"}, "a.json"},
		{nil, []string{"none"}, `error: o/m has none of the optional files at revision v1`},
		{[]string{"a.json", "b.bin"}, nil, `error: o/m has no file b.bin at revision v1`},
		{nil, []string{"unverified"}, `error: the hub gives no size or no hash for unverified`},
	} {
		m := Model{Repository: "o/m", Revision: "v1", Files: c.files, Optional: c.optional}
		chosen, err := m.choose(have)
		var names []string
		for _, f := range chosen {
			names = append(names, f.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want && !(err != nil && strings.HasPrefix(got, c.want)) {
			t.Errorf("%q, %q: got %s, want %s", c.files, c.optional, got, c.want)
		}
	}
}

// FuzzListing checks that no answer of a hub causes a panic, and that the chosen files were
// requested and can be verified.
func FuzzListing(f *testing.F) {
	for _, s := range []string{
		`{"sha":"$C","siblings":[{"rfilename":"a/b.onnx","size":5,"blobId":"$C"},{"rfilename":"m","size":1,"lfs":{"sha256":"$H","size":7,"pointerSize":1}}]}`,
		`{"sha":"$C","siblings":[{"rfilename":"../a"},{"rfilename":"C:\\a","size":null,"lfs":{"oid":"sha256:$H"}},null]}`,
		`{"sha":"$C","siblings":[{"rfilename":"a","size":-1}]}`, `{"sha":"$C","siblings":{}}`, `{}`, `null`, ``, `<html>`,
	} {
		f.Add([]byte(strings.NewReplacer("$C", someCommit, "$H", someHash).Replace(s)))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		commit, files, err := parseListing(content)
		if err != nil {
			return
		}
		if !isHex(commit, 40) {
			t.Fatalf("bad commit %q", commit)
		}
		m := Model{Repository: "o/m", Files: []string{"m"}, Optional: []string{"a/b.onnx"}}
		chosen, err := m.choose(files)
		if err != nil {
			return
		}
		for _, f := range chosen {
			if f.Name != "m" && f.Name != "a/b.onnx" || f.Size < 0 || (f.SHA256 == "") == (f.GitBlob == "") {
				t.Fatalf("%+v was chosen", f)
			}
		}
	})
}

// FuzzManifest checks that an accepted manifest names a commit and files.
func FuzzManifest(f *testing.F) {
	for _, s := range []string{
		`{"format":1,"commit":"$C","files":[{"name":"a/b","size":5,"sha256":"$H"}]}`,
		`{"format":1,"commit":"$C","files":[{"name":"../b","size":5,"sha256":"$H"}]}`,
		`{"format":2}`, `[]`, ``, `{"format":1,"pulled":"now"}`,
	} {
		f.Add([]byte(strings.NewReplacer("$C", someCommit, "$H", someHash).Replace(s)))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := parseManifest(content)
		if err != nil {
			return
		}
		if !isHex(m.Commit, 40) || len(m.Files) == 0 {
			t.Fatalf("accepted %+v", m)
		}
	})
}

func TestManifestErrors(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		`{`:            "is not a model manifest",
		`{"format":9}`: "its format is 9, this version reads 1",
		`{"format":1}`: "names no commit or no files",
	} {
		must(t, os.WriteFile(filepath.Join(dir, manifestName), []byte(strings.ReplaceAll(content, "$C", someCommit)), 0o666))
		_, err := ReadManifest(dir)
		expectError(t, err, "reading "+dir, want, "pull the model again")
	}
}
