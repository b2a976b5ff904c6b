// Package version identifies the running build of nsfl, and knows nothing else.
package version

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"
)

// tag and commit identify a release; the linker sets them.
var tag, commit string

// unknown is the toolchain's name for an unknown version.
const unknown = "(devel)"

// Build describes a binary.
type Build struct {
	Version  string `json:"version" doc:"such as 0.1.0; of what is no release as the toolchain names it"`
	Revision string `json:"revision,omitempty" doc:"the commit it was built from"`
	Go       string `json:"go"`
	Platform string `json:"platform" doc:"such as linux/amd64"`
}

// This returns the build of the running binary: set by the linker for a release,
// otherwise recorded by the toolchain, which for go install is the requested version.
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

// String returns the version, or the commit if the version is unknown.
func (b Build) String() string {
	if b.Version == unknown && b.Revision != "" {
		return b.Short()
	}
	return b.Version
}

// Short returns a prefix of the commit.
func (b Build) Short() string { return b.Revision[:min(12, len(b.Revision))] }
