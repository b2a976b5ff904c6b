package main

import "path"

// archive writes an archive of the binary and its documents, to be unpacked anywhere.
func (r *release) archive(b binary, docs *documents) error {
	name := r.archiveName(b.platform)
	if b.os == "windows" {
		data, err := zipped(r.archiveFiles(b, docs), r.date)
		if err != nil {
			return err
		}
		return r.write(name, data)
	}
	return r.writeTarball(name, r.archiveFiles(b, docs))
}

func (r *release) archiveName(p platform) string {
	if p.os == "windows" {
		return r.title(p.dashed()) + ".zip"
	}
	return r.title(p.dashed()) + ".tar.gz"
}

func (r *release) archiveFiles(b binary, docs *documents) []file {
	files := []file{{name: b.command(), mode: 0o755, data: b.data}}
	files = append(files, docs.texts...)
	for _, page := range docs.man {
		files = append(files, file{name: "man/man1/" + page.name, data: page.data})
	}
	for shell, text := range docs.completions {
		files = append(files, file{name: "completions/" + shells[shell], data: text})
	}
	if b.os == "linux" {
		files = append(files, file{name: "systemd/nsfl.service", data: docs.service})
	}
	for i := range files {
		files[i].name = path.Join(r.title(b.dashed()), files[i].name)
	}
	return byName(files)
}
