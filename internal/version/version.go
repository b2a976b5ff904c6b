// Package version says which nsfl is running. It is the one place that knows, and it
// knows nothing else.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// tag and commit are what a release was made of: the linker sets them.
var tag, commit string

// unknown is what the toolchain calls a version that it does not know.
const unknown = "(devel)"

// Build is what is known of a binary.
type Build struct {
	Version  string `json:"version" doc:"such as 0.1.0; of what is no release as the toolchain names it"`
	Revision string `json:"revision,omitempty" doc:"the commit it was built from"`
	Go       string `json:"go"`
	Platform string `json:"platform" doc:"such as linux/amd64"`
}

// This is the running binary's: of a release what the linker was told, otherwise what the
// toolchain has noted, which for go install is the version that was asked for.
func This() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info)
}

func of(info *debug.BuildInfo) Build {
	b := Build{
		Version: strings.TrimPrefix(cmp.Or(tag, info.Main.Version, unknown), "v"), Revision: commit,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && commit == "" {
			b.Revision = setting.Value
		}
	}
	return b
}

// String is the version, or where it is not known the commit.
func (b Build) String() string {
	if b.Version == unknown && b.Revision != "" {
		return b.Short()
	}
	return b.Version
}

// Short is the beginning of the commit.
func (b Build) Short() string { return b.Revision[:min(12, len(b.Revision))] }
