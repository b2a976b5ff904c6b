package ort

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// variable is the environment variable for the library's location.
const variable = "NSFL_ONNXRUNTIME"

// notFound reports that Find found no shared library of ONNX Runtime.
func notFound(looked string) error {
	return fmt.Errorf("ONNX Runtime's shared library, %s, was not found; "+
		"get it with `npm install --ignore-scripts --prefix %s onnxruntime-node`, "+
		"or unpack a release from github.com/microsoft/onnxruntime/releases and set %s to its folder; looked in: %s",
		library().name, ownFolder(), variable, looked)
}

// Find returns the path of ONNX Runtime's shared library. The package comment lists where it
// looks.
func Find() (path string, err error) {
	if !supported {
		return "", errUnsupported
	}
	return library().find(os.Getenv(variable), ownFolder())
}

// ownFolder returns the user's folder for the library, or an empty string without a home
// directory.
func ownFolder() string {
	caches, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(caches, "nsfl", "onnxruntime")
}

var errUnsupported = fmt.Errorf("this build for %s/%s does not support ONNX Runtime; use a build for Linux, macOS or Windows on amd64 or arm64 without -tags static", runtime.GOOS, runtime.GOARCH)

// files describes the names of the library's files on a system.
type files struct {
	name     string // without a version
	versions string // a pattern for names with a version; may be empty
	node     string // this system's folder in the npm package
}

func library() files { return filesOf(runtime.GOOS, runtime.GOARCH) }

func filesOf(system, processor string) files {
	if processor == "amd64" {
		processor = "x64" // Node's name
	}
	switch system {
	case "windows":
		return files{"onnxruntime.dll", "", filepath.Join("win32", processor)}
	case "darwin":
		return files{"libonnxruntime.dylib", "libonnxruntime.[0-9]*.dylib", filepath.Join(system, processor)}
	}
	return files{"libonnxruntime.so", "libonnxruntime.so.[0-9]*", filepath.Join(system, processor)}
}

// find returns the library at a place that the user has set or, if none is set, in the user's
// folder.
func (f files) find(set, own string) (string, error) {
	place, looked := own, own
	if set != "" {
		place, looked = set, variable+"="+set
	}
	if path := f.at(place); path != "" {
		return path, nil
	}
	return "", notFound(looked)
}

// at returns the library at a place: the file itself, or a file in a folder that holds it
// directly, as a release, as the npm package or as an npm installation. It returns an empty
// string if there is none.
func (f files) at(place string) string {
	info, err := os.Stat(place)
	switch {
	case err != nil:
		return ""
	case !info.IsDir():
		return place
	}
	folders := []string{place, filepath.Join(place, "lib")}
	for _, npm := range []string{place, filepath.Join(place, "node_modules", "onnxruntime-node")} {
		if binaries := newest(filepath.Join(npm, "bin"), "napi-v*"); binaries != "" {
			folders = append(folders, filepath.Join(binaries, f.node))
		}
	}
	for _, folder := range folders {
		path := filepath.Join(folder, f.name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
		if path := newest(folder, f.versions); path != "" {
			return path
		}
	}
	return ""
}

// newest returns the entry of a folder that matches a pattern and has the highest version:
// the longer name or, at equal length, the one with the higher digit. The folder's own name
// is not treated as a pattern.
func newest(folder, pattern string) string {
	entries, _ := os.ReadDir(folder) // a missing folder has no entries
	best := ""
	for _, entry := range entries {
		name := entry.Name()
		if ok, _ := filepath.Match(pattern, name); ok && (len(name) > len(best) || len(name) == len(best) && name > best) {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	return filepath.Join(folder, best)
}
