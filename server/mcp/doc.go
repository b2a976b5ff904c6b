// Package mcp offers collections to agents as tools of the Model Context Protocol: search,
// explain a result, read and add documents, and list collections and their metadata fields.
// Arguments have the same names and meaning as in HTTP requests.
//
// Results are short: structured content and the same as JSON, with scores rounded and texts
// clipped. A document is read as plain text. Errors contain advice.
//
// The package defines the tools and their schemas. Its callers provide the collections,
// authentication and limits.
package mcp
