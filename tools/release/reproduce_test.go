package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// The same source in another folder, at another time, gives the same bytes.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("builds everything a second time")
	}
	first, source := dist(t), checkout(t)
	second := *first
	second.source, second.out = source, filepath.Join(t.TempDir(), "again")
	if err := second.make(context.Background(), []platform{here}); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := fs.WalkDir(os.DirFS(first.out), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		once, err := os.ReadFile(first.at(name))
		if err != nil {
			return err
		}
		again, err := os.ReadFile(second.at(name))
		if err == nil && !bytes.Equal(once, again) {
			t.Errorf("%s differs", name)
		}
		return err
	})
	if err != nil || files < 9 {
		t.Errorf("compared %d files: %v", files, err)
	}
}

// checkout copies the source, as it would be committed now.
func checkout(t *testing.T) string {
	t.Helper()
	r, to := dist(t), t.TempDir()
	listed, err := r.command(context.Background(), nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(strings.Trim(listed, "\x00"), "\x00") {
		data, err := r.read(name)
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		at := filepath.Join(to, name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(at), 0o700)
		}
		if err == nil {
			err = os.WriteFile(at, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// The SBOM lists every module that the linker recorded in the binary, and the packages in the
// web page.
func TestSBOM(t *testing.T) {
	r, dir := dist(t), t.TempDir()
	text, err := os.Open(r.at(r.title() + ".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(text, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, c := range *bom.Components {
		listed[c.Name] = c.Version
	}
	must(t, nil, "tar", "-xzf", r.at(r.archiveName(here)), "-C", dir)
	info, err := buildinfo.ReadFile(filepath.Join(dir, r.title(here.dashed()), "nsfl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range info.Deps {
		if listed[m.Path] != m.Version {
			t.Errorf("%s %s: listed as %q", m.Path, m.Version, listed[m.Path])
		}
	}
	if len(info.Deps) < 10 || listed["preact"] == "" || listed["std"] == "" || listed["typescript"] != "" {
		t.Errorf("%d modules are linked, listed: %v", len(info.Deps), listed)
	}
	notices := must(t, nil, "tar", "-xzOf", r.at(r.archiveName(here)), r.title(here.dashed())+"/NOTICES.txt")
	for _, m := range info.Deps {
		if !strings.Contains(notices, m.Path+" "+m.Version) {
			t.Errorf("the licence of %s is missing", m.Path)
		}
	}
}
