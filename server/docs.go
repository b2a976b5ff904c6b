package server

import _ "embed" // the files below

// The reference page reads /openapi.json and loads nothing from other hosts.
var (
	//go:embed docs/docs.html
	docsHTML []byte
	//go:embed docs/docs.js
	docsScript []byte
	//go:embed docs/docs.css
	docsStyle []byte
)
