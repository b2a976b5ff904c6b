package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed files/nsfl.cjs
var npmLauncher []byte

// packageJSON returns what all package.json files have in common.
func (r *release) packageJSON(name, description string) map[string]any {
	return map[string]any{
		"name": name, "version": r.version, "description": description, "license": "Apache-2.0", "author": "The nsfl authors",
		"homepage": "https://github.com/nsfl-go/nsfl", "files": []string{"bin"},
		"repository": map[string]string{"type": "git", "url": "git+https://github.com/nsfl-go/nsfl.git"},
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
	about := r.packageJSON(npmName(b.platform), "The binary of nsfl for "+b.String()+"; install nsfl instead")
	about["os"], about["cpu"], about["preferUnplugged"] = []string{os}, []string{cpu}, true
	files := []file{{name: "package/bin/" + b.command(), mode: 0o755, data: b.data}}
	for _, text := range docs.texts {
		if text.name == "LICENSE" || text.name == "NOTICES.txt" {
			files = append(files, file{name: "package/" + text.name, data: text.data})
		}
	}
	return r.writeNPM(fmt.Sprintf("nsfl-go-%s-%s", os, cpu), about, files)
}

// npm writes the package that people install: a launcher that depends on all platforms.
func (r *release) npm(context.Context, []binary) error {
	binaries := map[string]string{}
	for _, platform := range allPlatforms {
		binaries[npmName(platform)] = r.version
	}
	about := r.packageJSON("nsfl", "Boolean search over embeddings that works: AND, OR and NOT for any encoder")
	about["keywords"] = []string{"search", "embeddings", "boolean", "retrieval", "vector", "rag", "mcp"}
	about["bin"], about["engines"] = map[string]string{"nsfl": "bin/nsfl.cjs"}, map[string]string{"node": ">=18"}
	about["optionalDependencies"] = binaries
	files := []file{{name: "package/bin/nsfl.cjs", mode: 0o755, data: npmLauncher}}
	for _, name := range []string{"LICENSE", "README.md"} {
		text, err := r.read(name)
		if err != nil {
			return err
		}
		files = append(files, file{name: "package/" + name, data: text})
	}
	return r.writeNPM("nsfl", about, files)
}

func (r *release) writeNPM(name string, about map[string]any, files []file) error {
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, file{name: "package/package.json", data: append(text, '\n')})
	return r.writeTarball(fmt.Sprintf("npm/%s-%s.tgz", name, r.version), byName(files))
}
