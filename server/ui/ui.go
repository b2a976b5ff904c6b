// Package ui holds the search page that nsfl serve shows at /, built from src.
// It uses the server only through its HTTP API.
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

// Files returns the page: index.html and the files it loads.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // dist is a valid path
	}
	return files
}
