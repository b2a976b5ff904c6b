// Package mcp offers collections to agents, as tools of the Model Context
// Protocol: search by a query, explain a result, add and read documents, see
// what collections there are and what their metadata hold, check a query.
// Arguments have the names and the meaning that they have in HTTP.
//
// Answers are short texts that a model reads well, with the same facts as
// structured content beside them. An error says what to do instead.
//
// It knows tools, their schemas and their words. Where collections come from, who
// may ask and how a machine is protected are the business of whoever offers them.
package mcp
