package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/template"
)

// downloads returns the URL of the files of a version.
func (r *release) downloads() string {
	return "https://github.com/nsfl-go/nsfl/releases/download/v" + r.version
}

var (
	//go:embed files/nsfl.rb
	formulaText string
	//go:embed files/install.sh
	installerText string
)

// filled is the data for templates: the version, the URL of its files, and the archives by
// platform.
type filled struct {
	Version, Downloads string
	Archives           map[string]*summed
}

type summed struct{ File, Sum string }

func (r *release) formula(_ context.Context, binaries []binary) error {
	return r.fill("nsfl.rb", formulaText, binaries)
}

// installer writes the script for curl | sh. It contains the checksums, so trusting the script
// suffices.
func (r *release) installer(_ context.Context, binaries []binary) error {
	return r.fill("install.sh", installerText, slices.DeleteFunc(slices.Clone(binaries), func(b binary) bool { return b.os == "windows" }))
}

func (r *release) fill(name, text string, binaries []binary) error {
	t, err := template.New(name).Parse(text)
	if err != nil {
		return err
	}
	with := filled{Version: r.version, Downloads: r.downloads(), Archives: map[string]*summed{}}
	for _, b := range binaries {
		archive := r.archiveName(b.platform)
		data, err := os.ReadFile(filepath.Join(r.out, archive))
		if err != nil {
			return err
		}
		with.Archives[b.dashed()] = &summed{archive, fmt.Sprintf("%x", sha256.Sum256(data))}
	}
	var out bytes.Buffer
	if err := t.Execute(&out, with); err != nil {
		return err
	}
	return r.write(name, out.Bytes())
}
