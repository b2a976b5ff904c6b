package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// binary is the command for one platform.
type binary struct {
	platform
	path string
	data []byte
}

// build compiles the command for release: without paths, dates and the state of the
// repository. On Linux it is static, without ONNX Runtime.
func (r *release) build(ctx context.Context, p platform) (binary, error) {
	b := binary{platform: p, path: filepath.Join(r.work, p.dashed(), p.command())}
	if data, err := os.ReadFile(b.path); err == nil {
		b.data = data
		return b, nil
	}
	const variables = "github.com/nsfl-go/nsfl/internal/version."
	args := []string{
		"build", "-trimpath", "-buildvcs=false", "-o", b.path,
		"-ldflags", fmt.Sprintf("-s -w -buildid= -X %stag=%s -X %scommit=%s", variables, r.version, variables, r.commit),
	}
	if p.os == "linux" {
		args = append(args, "-tags", "static")
	}
	environment := []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOFLAGS=", "GOAMD64=", "GOARM64="}
	_, err := r.command(ctx, environment, "go", append(args, "./cmd/nsfl")...)
	if err != nil {
		return b, err
	}
	b.data, err = os.ReadFile(b.path)
	return b, err
}

// shells maps shells to the names of their completion files.
var shells = map[string]string{"bash": "nsfl.bash", "zsh": "_nsfl", "fish": "nsfl.fish", "powershell": "nsfl.ps1"}

// documents are the files included with every binary.
type documents struct {
	texts       []file // licence, notices, changelog
	man         []file
	completions map[string][]byte // by shell
	service     []byte            // for systemd
}

// documents runs this machine's binary to write its manual and completions.
func (r *release) documents(ctx context.Context) (*documents, error) {
	own, err := r.build(ctx, platform{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return nil, err
	}
	d := &documents{completions: map[string][]byte{}}
	for shell := range shells {
		text, err := r.command(ctx, nil, own.path, "completion", shell)
		if err != nil {
			return nil, err
		}
		d.completions[shell] = []byte(text)
	}
	if d.man, err = r.manual(ctx, own); err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := r.read(name)
		if err != nil {
			return nil, err
		}
		d.texts = append(d.texts, file{name: name, data: text})
	}
	notices, err := r.notices(ctx)
	if err != nil {
		return nil, err
	}
	d.texts = append(d.texts, file{name: "NOTICES.txt", data: notices})
	d.service, err = r.read("tools/release/files/nsfl.service")
	return d, err
}

func (r *release) manual(ctx context.Context, own binary) ([]file, error) {
	dir := filepath.Join(r.work, "man")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	date := fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix())
	if _, err := r.command(ctx, []string{date}, own.path, "man", dir); err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return nil, err
	}
	var all []file
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		all = append(all, file{name: filepath.Base(page), data: text})
	}
	return all, nil
}
