// Package server serves collections and search over HTTP, as API.md describes.
//
// The table in routes.go defines the routes, the OpenAPI document and the required roles, so
// these cannot diverge.
//
// Types with JSON tags are request and response bodies. They are exported for the OpenAPI
// document, not as a client library.
//
// The package handles HTTP, authentication, admission control and limits. Other packages
// compute formulas, vectors and scores.
package server
