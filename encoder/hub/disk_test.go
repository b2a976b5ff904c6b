package hub

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Links in the directory do not lead a pull outside it.
func TestLinks(t *testing.T) {
	for name, c := range map[string]struct{ link, want string }{
		"the file":       {"model.onnx", "model.onnx exists and is not a regular file; remove it"},
		"the part":       {"model.onnx.part", "escapes"},
		"a folder":       {"onnx", "escapes"},
		"the lock":       {lockName, "escapes"},
		"the manifest":   {manifestName, ""}, // is replaced
		"its first form": {manifestName + partSuffix, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newHub(t)
			dir, outside := t.TempDir(), t.TempDir()
			target := filepath.Join(outside, "target")
			if name == "a folder" {
				target = outside
			} else {
				must(t, os.WriteFile(target, []byte("mine"), 0o666))
			}
			if err := os.Symlink(target, filepath.Join(dir, c.link)); err != nil {
				t.Skipf("links cannot be made: %v", err)
			}
			_, err := s.pull(t, dir)
			if c.want != "" {
				expectError(t, err, c.want)
			} else {
				must(t, err)
				s.expectModel(t, dir)
			}
			content, err := os.ReadFile(filepath.Join(outside, "target"))
			if name == "a folder" {
				if got := tree(t, outside); len(got) != 0 {
					t.Errorf("found %q outside the directory", got)
				}
			} else if err != nil || string(content) != "mine" {
				t.Errorf("the target of the link holds %q, %v", content, err)
			}
		})
	}
}

// TestInTheWay puts other things where files should be.
func TestInTheWay(t *testing.T) {
	s := newHub(t)
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "model.onnx"), 0o777))
	_, err := s.pull(t, dir)
	expectError(t, err, "model.onnx exists and is not a regular file; remove it")

	dir = t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "onnx"), nil, 0o666))
	_, err = s.pull(t, dir)
	expectError(t, err, "onnx/config #1.js: ")

	dir = filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(dir, nil, 0o666))
	_, err = s.pull(t, dir)
	expectError(t, err, "pulling owner/model: ", "file")
	if _, err := ReadManifest(filepath.Join(t.TempDir(), "none")); !errors.Is(err, ErrIncomplete) {
		t.Errorf("unexpected error: %v", err)
	}
}
