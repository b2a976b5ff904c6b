// Package workspace opens collections and their encoders by name: for one run of a
// command, and for a server or an agent that keeps many of them open. It is the one
// place that knows which notes a collection keeps of its encoder, what a collection
// may be called, where the demo is, and what happens when a store is down.
//
// It knows no HTTP and no flags.
package workspace

import (
	"runtime"
	"runtime/debug"
)

// Build is what is known of the binary.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty" doc:"the commit it was built from"`
	Go       string `json:"go"`
}

// ThisBuild is that of the running binary, as the toolchain knows it.
func ThisBuild() Build {
	b := Build{Version: "(devel)", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			b.Revision = setting.Value
		}
	}
	return b
}
