// Package mcp offers collections to agents as tools of the Model Context Protocol: search,
// explain a result, read and add documents, list collections and their metadata fields, and
// check a query. Arguments have the same names and meaning as in HTTP requests.
//
// Results are short texts for models, with the same facts as structured content. Errors
// contain advice.
//
// The package defines the tools and their schemas. Its callers provide the collections,
// authentication and limits.
package mcp
