// Package ui is the page that nsfl serve shows at /, as it was built from src.
// It knows the server only by its HTTP API.
//
//	go test ./server/ui -update   writes src/knobs.ts, the choices of a search
//	npm ci && npm run build       makes dist from src
//	npm test                      tries it in Chromium, against a real server
package ui

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Files are the page: index.html and what it loads, all from its own directory.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // dist is a valid path
	}
	return files
}
