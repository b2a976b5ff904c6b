package named

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "choose-")
	if err != nil {
		panic(err)
	}
	os.Setenv(ModelsEnv, filepath.Join(dir, "models"))
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func TestBuiltin(t *testing.T) {
	for _, word := range []string{"", "builtin"} {
		e, err := Open(context.Background(), word)
		if err != nil {
			t.Fatal(err)
		}
		if e.Identity().Dimension != 384 || e.Picture != nil {
			t.Errorf("Open(%q) = %s", word, e.Identity())
		}
		if c := encoder.CounterOf(e); c == nil || c.Room() != e.Identity().MaxTokens-2 || c.Tokens("a dog") != 2 {
			t.Errorf("%q: got counter %v", word, c)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWords(t *testing.T) {
	for word, want := range map[string]string{
		"":                           "builtin",
		"onnx:/models/x?pooling=cls": "onnx:/models/x?pooling=cls",
		"ollama:nomic":               "ollama:nomic",
	} {
		if got := Word(word); got != want {
			t.Errorf("Word(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Word("onnx:here"); !filepath.IsAbs(strings.TrimPrefix(got, "onnx:")) {
		t.Errorf("a relative folder is stored as %q", got)
	}
	dir, o, err := readFolder("/m?pooling=cls&query=search_query:+&passage=p:+&tokens=128&model=onnx/model_fp16.onnx")
	if err != nil || dir != "/m" || o.Pooling != "cls" || o.Prefixes.Query != "search_query: " || o.Prefixes.Passage != "p: " || o.MaxTokens != 128 || o.Model != "onnx/model_fp16.onnx" {
		t.Errorf("got %s, %+v, %v", dir, o, err)
	}
}

func TestAddress(t *testing.T) {
	c, err := readAddress("http://me:hunter2@host/v1?query=q:+&passage=p%26#a%2Fb")
	if err != nil || c.BaseURL != "http://me:hunter2@host/v1" || c.Model != "a/b" || c.Prefixes != (encoder.Prefixes{Query: "q: ", Passage: "p&"}) {
		t.Errorf("got %+v, %v", c, err)
	}
	for _, word := range []string{"http://me:hunter2@host/v1?colour=red#m", "http://me:hunter2@host/v1?query=%zz#m", "http://me:hunter2@host/v1"} {
		if _, err := readAddress(word); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: got error %v, want one without the password", word, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for word, want := range map[string]string{
		"mystery":                   "unknown encoder",
		"mystery:x":                 "unknown encoder",
		"vectors:x":                 "vectors:384",
		"http://localhost:1/v1":     "model after #",
		"http://host/v1?colour=x#m": "unknown setting \"colour\"",
		"all-MiniLM-L6-v2":          "nsfl model pull sentence-transformers/all-MiniLM-L6-v2",
		"onnx:/nowhere?colour=red":  "unknown setting",
		"onnx:/nowhere?tokens=many": "not a number",
		"onnx:/nowhere":             "/nowhere",
	} {
		if _, err := Open(context.Background(), word); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", word, err, want)
		}
	}
	e, err := Open(context.Background(), Unknown(7))
	if err != nil || e.Identity().Dimension != 7 {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.Encode(context.Background(), encoder.Query, []string{"dog"}); err == nil || !strings.Contains(err.Error(), "unknown encoder") {
		t.Errorf("unknown encoder: got error %v", err)
	}
}

func TestFolder(t *testing.T) {
	if _, err := ort.Find(); err != nil {
		t.Skip(err)
	}
	e, err := Open(context.Background(), "onnx:../onnx/testdata/clip")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	v, err := e.Picture(context.Background(), "../picture/testdata/rgb.png")
	if err != nil || len(v) != e.Identity().Dimension {
		t.Errorf("picture: got %d dimensions, error %v", len(v), err)
	}
	if _, err := e.Picture(context.Background(), "../picture/testdata/none.png"); err == nil {
		t.Error("a missing picture was accepted")
	}
}
