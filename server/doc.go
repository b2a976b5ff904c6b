// Package server is the engine for programs: collections, search and what belongs
// to it over HTTP, as API.md describes.
//
// The routes are a table (routes.go). What is served, what the OpenAPI document
// says and which role may do what come from its lines, so that they cannot differ.
//
// Types with JSON tags are bodies of requests and answers. They are exported because
// the document is made from them, not as a client's library.
//
// It knows HTTP, and how to keep a machine from being overrun. It computes nothing
// itself: formulas, vectors and scores are the business of the packages it asks.
package server
