package server

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// page is a tree of static files, kept in memory.
type page struct{ files map[string]staticFile }

type staticFile struct {
	contentType string
	content     []byte
	tag         string
}

func newPage(files fs.FS) (*page, error) {
	p := &page{map[string]staticFile{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		kind := mime.TypeByExtension(path.Ext(name))
		if kind == "" {
			kind = http.DetectContentType(content)
		}
		sum := sha256.Sum256(content)
		p.files["/"+name] = staticFile{kind, content, fmt.Sprintf(`"%x"`, sum[:8])}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	return p, nil
}

// serve answers with a file, where there is one.
func (p *page) serve(x *exchange) bool {
	name := x.URL.Path
	if strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	f, ok := p.files[name]
	if !ok || x.Method != http.MethodGet && x.Method != http.MethodHead {
		return false
	}
	x.record.route = "page"
	h := x.w.Header()
	h.Set("Cache-Control", "no-cache") // ask, and be told that it is the same
	h.Set("ETag", f.tag)
	if x.Header.Get("If-None-Match") == f.tag {
		x.w.WriteHeader(http.StatusNotModified)
		return true
	}
	x.send(http.StatusOK, f.contentType, f.content)
	return true
}
