package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"time"
)

// servePage serves a file of the UI. It returns false if there is no such file.
func (s *Server) servePage(x *exchange) bool {
	name := strings.TrimPrefix(x.URL.Path, "/")
	switch {
	case name == "" || strings.HasSuffix(name, "/"):
		name += "index.html"
	case name == "favicon.ico": // browsers ask for it beside answers that are not HTML
		name = "icon.svg"
	}
	if s.config.UI == nil || x.Method != http.MethodGet && x.Method != http.MethodHead {
		return false
	}
	content, err := fs.ReadFile(s.config.UI, name)
	if err != nil {
		return false
	}
	x.record.route = "page"
	h := x.w.Header()
	h.Set("Cache-Control", "no-cache") // the browser revalidates with the ETag
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(content)))
	x.compress(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
	return true
}

// The reference page reads /openapi.json and loads nothing from other hosts.
var (
	//go:embed docs/docs.html
	docsHTML []byte
	//go:embed docs/docs.js
	docsScript []byte
	//go:embed docs/docs.css
	docsStyle []byte
)
