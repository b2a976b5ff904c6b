package ort

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// variable is the environment variable that says where the library is.
const variable = "NSFL_ONNXRUNTIME"

// NotFoundError says that ONNX Runtime's shared library is nowhere that Find
// looks.
type NotFoundError struct {
	Looked []string // the places, in their order
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("looking for ONNX Runtime's shared library, %s: there is none; "+
		"get it with `npm install --ignore-scripts --prefix %s onnxruntime-node`, "+
		"or unpack a release from github.com/microsoft/onnxruntime/releases and set %s to its folder; looked in: %s",
		library().name, ownFolder(), variable, strings.Join(e.Looked, ", "))
}

// Find is the path of ONNX Runtime's shared library, or its bare name where the
// system's loader knows it by that. The package comment says where it looks. The
// error is a *NotFoundError, or says that there is nothing to find for this
// system.
func Find() (path string, err error) {
	if !supported {
		return "", errUnsupported
	}
	s := search{
		variable: os.Getenv(variable),
		system:   systemFolders(),
		files:    library(),
		loads: func(name string) bool {
			_, err := openLibrary(name)
			return err == nil
		},
	}
	if executable, err := os.Executable(); err == nil {
		s.executable = filepath.Dir(executable)
	}
	s.own = ownFolder()
	return s.find()
}

// ownFolder is the user's folder for the library; empty without a home.
func ownFolder() string {
	caches, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(caches, "nsfl", "onnxruntime")
}

var errUnsupported = fmt.Errorf("using ONNX Runtime: not possible with this build for %s/%s; it is on Linux, macOS and Windows with amd64 or arm64, unless the program was built with -tags static", runtime.GOOS, runtime.GOARCH)

// search is what Find looks through.
type search struct {
	variable        string // the environment variable's value
	executable, own string // folders
	system          []string
	files           files
	loads           func(name string) bool // whether the system's loader has a library
}

func (s search) find() (string, error) {
	if s.variable != "" {
		if path := s.files.at(s.variable); path != "" {
			return path, nil
		}
		return "", &NotFoundError{Looked: []string{variable + "=" + s.variable}}
	}
	var looked []string
	if s.executable != "" {
		if path := s.files.in(s.executable); path != "" {
			return path, nil
		}
		looked = append(looked, s.executable)
	}
	if s.own != "" {
		if path := s.files.at(s.own); path != "" {
			return path, nil
		}
		looked = append(looked, s.own)
	}
	for _, folder := range s.system {
		if path := s.files.in(folder); path != "" {
			return path, nil
		}
		looked = append(looked, folder)
	}
	if s.files.byName {
		for _, name := range []string{s.files.name, s.files.name + ".1"} {
			if s.loads(name) {
				return name, nil
			}
		}
		looked = append(looked, "the system's loader")
	}
	return "", &NotFoundError{Looked: looked}
}

// files says what the library's file is called on a system.
type files struct {
	name     string // without a version
	versions string // a pattern for names with one; may be empty
	node     string // the folder for this system in npm's package
	byName   bool   // the system's loader may be asked for the name
}

func library() files { return filesOf(runtime.GOOS, runtime.GOARCH) }

func filesOf(system, processor string) files {
	if processor == "amd64" {
		processor = "x64" // Node's name
	}
	switch system {
	case "windows":
		return files{"onnxruntime.dll", "", filepath.Join("win32", processor), false}
	case "darwin":
		return files{"libonnxruntime.dylib", "libonnxruntime.[0-9]*.dylib", filepath.Join(system, processor), true}
	}
	return files{"libonnxruntime.so", "libonnxruntime.so.[0-9]*", filepath.Join(system, processor), true}
}

// at is the library at a place that a user names: the file itself, or a folder
// that holds it in one of the usual ways. Empty if there is none.
func (f files) at(place string) string {
	info, err := os.Stat(place)
	switch {
	case err != nil:
		return ""
	case !info.IsDir():
		return place
	}
	for _, folder := range []string{place, filepath.Join(place, "lib")} {
		if path := f.in(folder); path != "" {
			return path
		}
	}
	return cmp.Or(f.inPackage(place), f.inModules(place))
}

// in is the library in a folder, the newest of those with a version in their
// name. Empty if there is none.
func (f files) in(folder string) string {
	path := filepath.Join(folder, f.name)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path
	}
	return newest(folder, f.versions)
}

// inModules is the library below the node_modules of a folder.
func (f files) inModules(folder string) string {
	return f.inPackage(filepath.Join(folder, "node_modules", "onnxruntime-node"))
}

// inPackage is the library in npm's package.
func (f files) inPackage(folder string) string {
	binaries := newest(filepath.Join(folder, "bin"), "napi-v*")
	if binaries == "" {
		return ""
	}
	return f.in(filepath.Join(binaries, f.node))
}

// newest is what in a folder has a name of a pattern, the one of the highest
// version if there are several. The folder's own name is not read as a pattern.
func newest(folder, pattern string) string {
	if pattern == "" {
		return ""
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	best := ""
	for _, entry := range entries {
		if ok, _ := filepath.Match(pattern, entry.Name()); ok && (best == "" || slices.Compare(numbers(entry.Name()), numbers(best)) > 0) {
			best = entry.Name()
		}
	}
	if best == "" {
		return ""
	}
	return filepath.Join(folder, best)
}

// numbers are the numbers in a name: 1, 9, 2 in libonnxruntime.so.1.9.2.
func numbers(name string) (out []int) {
	within := false
	for _, r := range name {
		digit := r >= '0' && r <= '9'
		if digit && !within {
			out = append(out, 0)
		}
		if digit {
			last := &out[len(out)-1]
			*last = min(*last, 1<<20)*10 + int(r-'0')
		}
		within = digit
	}
	return out
}

// systemFolders are those where libraries usually lie.
func systemFolders() []string {
	switch runtime.GOOS {
	case "windows":
		return slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(folder string) bool {
			root := os.Getenv("SystemRoot")
			return folder == "" || root != "" && strings.HasPrefix(strings.ToLower(folder), strings.ToLower(root))
		})
	case "darwin":
		return []string{"/opt/homebrew/lib", "/usr/local/lib"}
	}
	triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
	return []string{"/usr/local/lib", "/usr/local/lib64", "/usr/lib/" + triplet, "/usr/lib64", "/usr/lib"}
}
