package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed files/nsfl.cjs
var npmLauncher []byte

// npmPackage is a package.json, with its fields in the usual order.
type npmPackage struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Author               string            `json:"author"`
	Homepage             string            `json:"homepage"`
	Repository           map[string]string `json:"repository"`
	Keywords             []string          `json:"keywords,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
	Files                []string          `json:"files"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"`
}

func (r *release) newNPM(name, description string, files ...string) npmPackage {
	return npmPackage{
		Name: name, Version: r.version, Description: description, License: "Apache-2.0", Author: "The nsfl authors",
		Homepage: "https://github.com/nsfl-go/nsfl", Files: files,
		Repository: map[string]string{"type": "git", "url": "git+https://github.com/nsfl-go/nsfl.git"},
	}
}

// npmName returns the name of the package with the binary of a platform, used by the launcher.
func npmName(p platform) string {
	os, cpu := p.node()
	return fmt.Sprintf("@nsfl-go/%s-%s", os, cpu)
}

// npmBinary writes the package of one platform, which npm installs only there.
func (r *release) npmBinary(b binary, docs *documents) error {
	os, cpu := b.node()
	p := r.newNPM(npmName(b.platform), "The binary of nsfl for "+b.String()+"; install nsfl instead", "bin")
	p.OS, p.CPU, p.PreferUnplugged = []string{os}, []string{cpu}, true
	files := []file{{name: "package/bin/" + b.command(), mode: 0o755, data: b.data}}
	for _, text := range docs.texts {
		if text.name == "LICENSE" || text.name == "NOTICES.txt" {
			files = append(files, file{name: "package/" + text.name, data: text.data})
		}
	}
	return r.writeNPM(fmt.Sprintf("nsfl-go-%s-%s", os, cpu), p, files)
}

// npm writes the package that people install: a launcher that depends on all platforms.
func (r *release) npm(context.Context, []binary) error {
	p := r.newNPM("nsfl", "Boolean search over embeddings that works: AND, OR and NOT for any encoder", "bin")
	p.Keywords = []string{"search", "embeddings", "boolean", "retrieval", "vector", "rag", "mcp"}
	p.Bin, p.Engines = map[string]string{"nsfl": "bin/nsfl.cjs"}, map[string]string{"node": ">=18"}
	p.OptionalDependencies = map[string]string{}
	for _, platform := range allPlatforms {
		p.OptionalDependencies[npmName(platform)] = r.version
	}
	files := []file{{name: "package/bin/nsfl.cjs", mode: 0o755, data: npmLauncher}}
	for _, name := range []string{"LICENSE", "README.md"} {
		text, err := r.read(name)
		if err != nil {
			return err
		}
		files = append(files, file{name: "package/" + name, data: text})
	}
	return r.writeNPM("nsfl", p, files)
}

func (r *release) writeNPM(name string, p npmPackage, files []file) error {
	about, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, file{name: "package/package.json", data: append(about, '\n')})
	return r.writeTarball(fmt.Sprintf("npm/%s-%s.tgz", name, r.version), byName(files))
}
