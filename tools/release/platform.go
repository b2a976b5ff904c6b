package main

import (
	"fmt"
	"slices"
	"strings"
)

// platform is the platform of a binary, in Go's terms.
type platform struct{ os, arch string }

var allPlatforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// choose parses a list of platforms; an empty list means all.
func choose(list string) ([]platform, error) {
	if list == "" {
		return allPlatforms, nil
	}
	var chosen []platform
	for name := range strings.SplitSeq(list, ",") {
		at := slices.IndexFunc(allPlatforms, func(p platform) bool { return p.String() == name })
		if at < 0 {
			return nil, fmt.Errorf("unknown platform %q; use some of %v", name, allPlatforms)
		}
		chosen = append(chosen, allPlatforms[at])
	}
	return chosen, nil
}

func (p platform) String() string { return p.os + "/" + p.arch }

func (p platform) dashed() string { return p.os + "-" + p.arch }

// command returns the name of the binary on the platform.
func (p platform) command() string {
	if p.os == "windows" {
		return "nsfl.exe"
	}
	return "nsfl"
}

// node returns the platform in Node.js's terms: process.platform and process.arch.
func (p platform) node() (os, cpu string) {
	os, cpu = p.os, p.arch
	if os == "windows" {
		os = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return os, cpu
}
