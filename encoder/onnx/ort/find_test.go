package ort

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// touch creates a file below a folder.
func touch(t *testing.T, folder, name string) string {
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	const node = "node_modules/onnxruntime-node/bin/"
	linux := filesOf("linux", "amd64")
	for _, c := range []struct {
		name     string
		files    files
		present  []string // files below a root folder; own is searched
		variable string   // path below the root
		want     string   // path below the root; empty if not found
	}{
		{"nothing", linux, nil, "", ""},
		{"npm's package in the user's folder", linux, []string{"own/" + node + "napi-v6/linux/x64/libonnxruntime.so.1"}, "", "own/" + node + "napi-v6/linux/x64/libonnxruntime.so.1"},
		{"npm's package for another processor", filesOf("linux", "arm64"), []string{"own/" + node + "napi-v6/linux/x64/libonnxruntime.so.1"}, "", ""},
		{"several interfaces of Node", linux, []string{"own/" + node + "napi-v10/linux/x64/libonnxruntime.so.1", "own/" + node + "napi-v6/linux/x64/libonnxruntime.so.1"}, "", "own/" + node + "napi-v10/linux/x64/libonnxruntime.so.1"},
		{"several versions", linux, []string{"own/libonnxruntime.so.1.9.0", "own/libonnxruntime.so.1.20.1", "own/libonnxruntime.so.debug"}, "", "own/libonnxruntime.so.1.20.1"},
		{"a folder of that name", linux, []string{"own/libonnxruntime.so/readme"}, "", ""},
		{"the variable: a file of any name", linux, []string{"x/my.so"}, "x/my.so", "x/my.so"},
		{"the variable: a release", linux, []string{"x/lib/libonnxruntime.so.1"}, "x", "x/lib/libonnxruntime.so.1"},
		{"the variable: where npm was used", linux, []string{"x/" + node + "napi-v3/linux/x64/libonnxruntime.so.1"}, "x", "x/" + node + "napi-v3/linux/x64/libonnxruntime.so.1"},
		{"the variable: npm's package", linux, []string{"x/bin/napi-v3/linux/x64/libonnxruntime.so.1"}, "x", "x/bin/napi-v3/linux/x64/libonnxruntime.so.1"},
		{"the variable: nothing there", linux, []string{"own/libonnxruntime.so"}, "x", ""},
		{"macOS", filesOf("darwin", "arm64"), []string{"own/libonnxruntime.1.20.1.dylib", "own/libonnxruntime_providers_shared.dylib"}, "", "own/libonnxruntime.1.20.1.dylib"},
		{"macOS, npm", filesOf("darwin", "arm64"), []string{"own/" + node + "napi-v6/darwin/arm64/libonnxruntime.1.30.0.dylib"}, "", "own/" + node + "napi-v6/darwin/arm64/libonnxruntime.1.30.0.dylib"},
		{"Windows", filesOf("windows", "amd64"), []string{"own/onnxruntime.dll"}, "", "own/onnxruntime.dll"},
		{"Windows, npm", filesOf("windows", "amd64"), []string{"own/" + node + "napi-v6/win32/x64/onnxruntime.dll"}, "", "own/" + node + "napi-v6/win32/x64/onnxruntime.dll"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Wildcards in the folder's own name must not matter.
			root := filepath.Join(t.TempDir(), "a[b]*")
			for _, name := range c.present {
				touch(t, root, name)
			}
			variable := c.variable
			if variable != "" {
				variable = filepath.Join(root, variable)
			}
			want := c.want
			if want != "" {
				want = filepath.Join(root, filepath.FromSlash(want))
			}
			got, err := c.files.find(variable, filepath.Join(root, "own"))
			if got != want {
				t.Errorf("found %q, want %q", got, want)
			}
			if (err != nil) != (want == "") {
				t.Errorf("unexpected error %v", err)
			}
		})
	}
}

// The error explains how to get ONNX Runtime and where Find looked.
func TestNotFound(t *testing.T) {
	linux := filesOf("linux", "amd64")
	_, err := linux.find("", "/own")
	for _, want := range []string{"npm install --ignore-scripts --prefix ", "NSFL_ONNXRUNTIME", "/own"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want one containing %q", err, want)
		}
	}
	_, err = linux.find("/nowhere", "/own")
	if err == nil || !strings.HasSuffix(err.Error(), "looked in: NSFL_ONNXRUNTIME=/nowhere") {
		t.Errorf("with the variable set: got error %v", err)
	}
}
