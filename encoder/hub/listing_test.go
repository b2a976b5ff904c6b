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

// TestBadListing has answers that are no list.
func TestBadListing(t *testing.T) {
	for list, want := range map[string]string{
		``:                             "it is not JSON",
		`<html>hf_secret`:              `begins with "<html>[token]": it is not JSON`,
		`{"sha":`:                      "it is not JSON",
		`[]`:                           "does not describe a repository",
		`null`:                         "which commit",
		`{"siblings":[]}`:              "which commit",
		`{"sha":"main","siblings":[]}`: "which commit",
		`{"sha":"$C","siblings":[{"rfilename":7}]}`:                                             "does not describe a repository",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":-5}]}`:                        `"model.onnx" has the size -5`,
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":1e99}]}`:                      "does not describe a repository",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":5,"blobId":"x"}]}`:            `"x" is neither a SHA-256`,
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","size":5,"lfs":{"sha256":"$C$C"}}]}`: "is neither a SHA-256",
		`{"sha":"$C"}`: "has no file model.onnx at revision main; it has no files at all",
		`{"sha":"$C","siblings":[{"rfilename":"a"},{"rfilename":"b"}]}`:                                             `has no file model.onnx at revision main; it has "a", "b"`,
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","lfs":{"size":9e17,"oid":"sha256:$H"}}]}`:                "does not describe a repository",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx","lfs":{"size":9000000000000000000,"oid":"sha256:$H"}}]}`: "more than any disk holds",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx"},{"rfilename":"MODEL.onnx"}]}`:                           "would be one on some systems",
		`{"sha":"$C","siblings":[{"rfilename":"model.onnx"},{"rfilename":"../x.onnx"}]}`:                            `"../x.onnx" is refused: it does not lie in the directory`,
	} {
		s := newHub(t)
		list = strings.NewReplacer("$C", someCommit, "$H", someHash).Replace(list)
		s.onList = func(w http.ResponseWriter, r *http.Request, n int) bool {
			fmt.Fprint(w, list)
			return true
		}
		m := Model{Repository: testRepository, Files: []string{"model.onnx"}, Optional: []string{"*.onnx", "*/*.onnx"}}
		dir := filepath.Join(t.TempDir(), "m")
		_, err := s.pullFrom(t.Context(), Config{}, m, dir, nil)
		expectError(t, err, want)
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a directory was made", list)
		}
	}
}

// TestHugeListing: a list of many files is read, an endless one is not.
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
		`"[" is neither the name of a file`:       {Repository: "a/b", Files: []string{"["}},
		`"" is neither the name of a file`:        {Repository: "a/b", Optional: []string{""}},
	} {
		_, err := Pull(t.Context(), Config{BaseURL: "http://127.0.0.1:1"}, m, t.TempDir(), nil)
		expectError(t, err, want)
	}
	_, err := Pull(t.Context(), Config{}, testModel, "", nil)
	expectError(t, err, "no directory is named")
}

func TestChoose(t *testing.T) {
	have := []File{{Name: "onnx/b.onnx"}, {Name: "a.json"}, {Name: "[x].json"}, {Name: "onnx/deep/c.onnx"}, {Name: "con"}, {Name: "x.part"}}
	for _, c := range []struct {
		files, optional []string
		want            string
	}{
		{[]string{"a.json"}, nil, "a.json"},
		{[]string{"*.json"}, nil, "[x].json a.json"},
		{[]string{"[x].json"}, nil, "[x].json"}, // a name, though it could be a pattern
		{[]string{"onnx/*", "a.*"}, []string{"none", "*/*/c.onnx"}, "a.json onnx/b.onnx onnx/deep/c.onnx"},
		{nil, []string{"none", "a.json"}, "a.json"},
		{nil, []string{"none"}, `error: o/m has none of the optional files at revision v1; it has "onnx/b.onnx", "a.json", "[x].json", "onnx/deep/c.onnx", "con", "x.part"`},
		{[]string{"a.json", "*.bin"}, nil, `error: o/m has no file *.bin at revision v1; it has`},
		{[]string{"con"}, nil, `error: the hub's file "con" is refused: con is a device of Windows`},
		{[]string{"x.part"}, nil, `error: the hub's file "x.part" is refused: the name is kept`},
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
			t.Errorf("%q, %q: %s, want %s", c.files, c.optional, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	for _, name := range []string{
		"a", "a.json", "onnx/model_quantized.onnx", "1_Pooling/config.json", "a b#c%20é.txt", ".gitattributes", "console.txt", "com", "com10", "lpt0.x", "a..b", "nul-l", "part", "模型.onnx",
	} {
		if err := checkName(name); err != nil {
			t.Errorf("%q is refused: %v", name, err)
		}
	}
	for _, name := range []string{
		"", ".", "..", "../a", "a/../b", "a/..", "/a", "/", "a//b", "a/", "./a", `a\b`, `..\a`, `\\host\a`, `C:\a`, "C:a", "a:stream", "a\x00b", "a\nb", "\xff", "a\u0085",
		"con", "CON", "aux.json", "a/NUL.tar.gz", "com1", "Com9.txt", "lpt¹", "prn .txt", "conin$", "CONOUT$", "a.", "a ", "a./b", "what?", "a*", "<a>", `"`, "a|b",
		"nsfl-model.json", "NSFL-Model.JSON", "nsfl-model.lock", "a.part", "b/a.PART", "a.part.json",
	} {
		if checkName(name) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

// FuzzListing: whatever a hub sends, nothing panics, and a name that is accepted
// stays in the directory.
func FuzzListing(f *testing.F) {
	for _, s := range []string{
		`{"sha":"$C","siblings":[{"rfilename":"a/b.onnx","size":5,"blobId":"$C"},{"rfilename":"m","size":1,"lfs":{"sha256":"$H","size":7,"pointerSize":1}}]}`,
		`{"sha":"$C","siblings":[{"rfilename":"../a"},{"rfilename":"C:\\a","size":null,"lfs":{"oid":"sha256:$H"}},null]}`,
		`{"sha":"$C","siblings":[{"rfilename":"a","size":-1}]}`, `{"sha":"$C","siblings":{}}`, `{}`, `null`, ``, `<html>`,
	} {
		f.Add([]byte(strings.NewReplacer("$C", someCommit, "$H", someHash).Replace(s)))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		commit, files, err := parseListing(content)
		if err != nil {
			return
		}
		if !isHex(commit, 40) {
			t.Fatalf("commit %q", commit)
		}
		for _, file := range files {
			if file.Size < unknown || file.SHA256 != "" && file.GitBlob != "" {
				t.Fatalf("%+v", file)
			}
		}
		m := Model{Repository: "o/m", Files: []string{"*"}, Optional: []string{"*/*", "*/*/*"}}
		chosen, err := m.choose(files)
		if err != nil {
			return
		}
		for _, file := range chosen {
			rel, err := filepath.Rel(dir, filepath.Join(dir, filepath.FromSlash(file.Name)))
			if err != nil || filepath.ToSlash(rel) != file.Name || !filepath.IsLocal(rel) || strings.ContainsAny(file.Name, "\\:\x00") {
				t.Fatalf("%q is accepted", file.Name)
			}
		}
		if sum, err := total(chosen); err == nil && (sum < -int64(len(chosen)) || sum >= maxTotal) {
			t.Fatalf("total %d", sum)
		}
	})
}

// FuzzManifest: a manifest that is accepted names files in the directory.
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
		for _, file := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(file.Name)) || file.Size < 0 || len(file.SHA256) != 64 {
				t.Fatalf("%+v", file)
			}
		}
	})
}

// FuzzContentRange: what is accepted begins at no negative number.
func FuzzContentRange(f *testing.F) {
	for _, s := range []string{"bytes 0-9/10", "bytes 5-/10", "bytes 5-9/*", "bytes */10", "bytes -1-2/3", "5-6/7", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if first, all, ok := contentRange(header); ok && (first < 0 || all < unknown) {
			t.Fatalf("%q: %d of %d", header, first, all)
		}
	})
}

func TestManifestErrors(t *testing.T) {
	dir := t.TempDir()
	for content, want := range map[string]string{
		`{`:            "is not the manifest of a model",
		`{"format":9}`: "it has the format 9, this version reads 1",
		`{"format":1}`: "names no commit or no files",
		`{"format":1,"commit":"$C","files":[{"name":"/etc/passwd"}]}`:        `"/etc/passwd": it does not lie in the directory`,
		`{"format":1,"commit":"$C","files":[{"name":"a","sha256":"short"}]}`: "has no size or no hash",
	} {
		must(t, os.WriteFile(filepath.Join(dir, manifestName), []byte(strings.ReplaceAll(content, "$C", someCommit)), 0o666))
		_, err := ReadManifest(dir)
		expectError(t, err, "reading "+dir, want, "pull the model again")
	}
}
