package main

import (
	"bytes"
	"crypto/md5"
	_ "embed"
	"fmt"
	"path"
	"strings"
)

var (
	//go:embed files/postinst
	debPostinst []byte
	//go:embed files/prerm
	debPrerm []byte
	//go:embed files/postrm
	debPostrm []byte
)

// deb writes a Debian package: an ar archive of a format version, a tarball about the package
// and one of its files.
func (r *release) deb(b binary, docs *documents) error {
	files, err := debFiles(b, docs)
	if err != nil {
		return err
	}
	about := []file{
		{name: "./control", data: r.debControl(b, files)},
		{name: "./md5sums", data: md5sums(files)},
		{name: "./postinst", mode: 0o755, data: debPostinst},
		{name: "./prerm", mode: 0o755, data: debPrerm},
		{name: "./postrm", mode: 0o755, data: debPostrm},
	}
	control, err := gzipped(about, r.date)
	if err != nil {
		return err
	}
	data, err := gzipped(withFolders(files), r.date)
	if err != nil {
		return err
	}
	parts := []file{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: control}, {name: "data.tar.gz", data: data}}
	return r.write(fmt.Sprintf("nsfl_%s_%s.deb", r.debVersion(), b.arch), ar(parts, r.date.Unix()))
}

// debVersion returns a version in which prereleases sort before the release.
func (r *release) debVersion() string { return strings.Replace(r.version, "-", "~", 1) }

func debFiles(b binary, docs *documents) ([]file, error) {
	files := []file{
		{name: "./usr/bin/nsfl", mode: 0o755, data: b.data},
		{name: "./usr/lib/systemd/system/nsfl.service", data: docs.service},
		{name: "./usr/share/bash-completion/completions/nsfl", data: docs.completions["bash"]},
		{name: "./usr/share/fish/vendor_completions.d/nsfl.fish", data: docs.completions["fish"]},
		{name: "./usr/share/zsh/vendor-completions/_nsfl", data: docs.completions["zsh"]},
	}
	for _, page := range docs.man {
		data, err := compressed(page.data)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "./usr/share/man/man1/" + page.name + ".gz", data: data})
	}
	for _, text := range docs.texts {
		switch name := "./usr/share/doc/nsfl/" + text.name; text.name {
		case "LICENSE":
			files = append(files, file{name: path.Dir(name) + "/copyright", data: append([]byte("nsfl, https://github.com/nsfl-go/nsfl\nCopyright The nsfl authors\n\n"), text.data...)})
		default:
			data, err := compressed(text.data)
			if err != nil {
				return nil, err
			}
			files = append(files, file{name: name + ".gz", data: data})
		}
	}
	return byName(files), nil
}

func (r *release) debControl(b binary, files []file) []byte {
	size := 0
	for _, f := range files {
		size += (len(f.data) + 1023) / 1024
	}
	return fmt.Appendf(nil, `Package: nsfl
Version: %s
Architecture: %s
Maintainer: The nsfl authors
Installed-Size: %d
Section: utils
Priority: optional
Homepage: https://github.com/nsfl-go/nsfl
Description: Boolean search over embeddings that works
 AND, OR and NOT for any encoder and any vector engine: a command, a server with
 a page, and tools for agents, in one static file that needs nothing else.
 .
 The server is installed and not started: systemctl enable --now nsfl
`, r.debVersion(), b.arch, size)
}

func md5sums(files []file) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%x  %s\n", md5.Sum(f.data), strings.TrimPrefix(f.name, "./"))
	}
	return b.Bytes()
}

// ar writes a Unix ar archive, with headers of 60 bytes and even offsets.
func ar(files []file, seconds int64) []byte {
	b := bytes.NewBufferString("!<arch>\n")
	for _, f := range files {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", f.name, seconds, 0, 0, "100644", len(f.data))
		b.Write(f.data)
		if len(f.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
