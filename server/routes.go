package server

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

const (
	one           = "/v1/collections/{name}"
	screeningPath = one + "/screenings/{screening}"
)

// routes returns all routes except the page and the mounted handlers.
func (s *Server) routes() []route {
	const get, post, put, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete
	named := []parameter{
		{"after", "next of the previous page", &huma.Schema{Type: huma.TypeString}},
		{"limit", "maximum number; 100 by default", &huma.Schema{Type: huma.TypeInteger, Minimum: new(1.0), Maximum: new(float64(maxAtOnce))}},
	}
	listing := append(slices.Clone(named),
		parameter{"source", "only documents from the file of this name", &huma.Schema{Type: huma.TypeString}},
		parameter{"ids", "true: only ids", &huma.Schema{Type: huma.TypeBoolean}})
	exporting := []parameter{{"format", "csv: all records; ris: the included ones; svg: the PRISMA flow; md: the search appendix", &huma.Schema{Type: huma.TypeString, Enum: []any{"csv", "ris", "svg", "md"}, Default: "csv"}}}
	return []route{
		bound(route{method: get, path: "/v1/collections", name: "listCollections", summary: "List collections", role: Read, kind: asking}, s.listCollections),
		bound(route{method: post, path: "/v1/collections", name: "makeCollection", summary: "Create a collection", role: Admin, kind: asking, status: http.StatusCreated, problems: []int{409, 423}}, s.makeCollection),
		bound(route{method: get, path: one, name: "getCollection", summary: "Describe a collection", role: Read, opens: true, kind: asking, problems: []int{404}}, s.getCollection),
		bound(route{method: del, path: one, name: "deleteCollection", summary: "Delete a collection with all its documents", role: Admin, kind: asking, problems: []int{404, 423}}, s.deleteCollection),
		bound(route{method: get, path: one + "/fields", name: "listFields", summary: "List the metadata fields of documents", role: Read, opens: true, kind: asking, problems: []int{404}}, s.listFields),

		bound(route{method: put, path: one + "/quota", name: "setQuota", summary: "Set the quota of a collection", role: Admin, kind: asking, problems: []int{404, 423}}, s.setQuota),
		bound(route{method: get, path: one + "/backups", name: "listBackups", summary: "List the backups of a collection, even if it has been deleted", role: Admin, kind: asking, problems: []int{404}}, s.listBackups),
		bound(route{method: post, path: one + "/backups", name: "makeBackup", summary: "Back up a collection", role: Admin, kind: keeping, status: http.StatusCreated, problems: []int{404, 423}}, s.makeBackup),
		bound(route{method: post, path: "/v1/restore", name: "restore", summary: "Create a collection from a backup", role: Admin, kind: keeping, status: http.StatusCreated, problems: []int{404, 409, 423}}, s.restore),

		bound(route{method: get, path: one + "/documents", name: "listDocuments", summary: "List documents in the order in which they were stored", role: Read, opens: true, kind: asking, parameters: listing, problems: []int{404}}, s.listDocuments),
		bound(route{method: post, path: one + "/documents", name: "addDocuments", summary: "Store one document or a list, all or none", role: Write, opens: true, kind: storing, problems: []int{404, 423, 507}}, s.addDocuments),
		bound(route{method: post, path: one + "/documents/lookup", name: "lookupDocuments", summary: "Read documents by their ids", role: Read, opens: true, kind: asking, problems: []int{404}}, s.lookupDocuments),
		bound(route{method: post, path: one + "/documents/delete", name: "deleteDocuments", summary: "Delete documents by their ids", role: Write, opens: true, kind: storing, problems: []int{404, 423, 507}}, s.deleteDocuments),
		streamed(route{method: post, path: one + "/documents/bulk", name: "bulkDocuments", summary: "Store many documents, one per line", role: Write, opens: true, problems: []int{404, 423, 507}},
			ndjson, reflect.TypeFor[Document](), reflect.TypeFor[BulkLine](), s.bulkDocuments),
		bound(route{method: get, path: one + "/documents/{id}", name: "getDocument", summary: "Read a document", role: Read, opens: true, kind: asking, problems: []int{404}}, s.getDocument),
		bound(route{method: put, path: one + "/documents/{id}", name: "putDocument", summary: "Store a document under an id", role: Write, opens: true, kind: storing, problems: []int{404, 423, 507}}, s.putDocument),
		bound(route{method: del, path: one + "/documents/{id}", name: "deleteDocument", summary: "Delete a document", role: Write, opens: true, kind: storing, problems: []int{404, 423, 507}}, s.deleteDocument),
		{method: get, path: one + "/documents/{id}/file", name: "getFile", summary: "Read the file that a document was indexed from", role: Read, opens: true, kind: asking, status: 200, givesType: fileTypes, problems: []int{404, 410}, handle: s.original},
		streamed(route{method: post, path: one + "/files", name: "uploadFiles", summary: "Upload files and store their documents", role: Write, opens: true, problems: []int{404, 423, 507}},
			"multipart/form-data", reflect.TypeFor[Upload](), reflect.TypeFor[FileLine](), s.uploadFiles),

		bound(route{method: get, path: one + "/sources", name: "listSources", summary: "List the files that documents came from", role: Write, opens: true, kind: asking, parameters: named, problems: []int{404, 423}}, s.listSources),
		bound(route{method: post, path: one + "/sources", name: "noteSources", summary: "Save the fingerprints of files", role: Write, opens: true, kind: storing, problems: []int{404, 423, 507}}, s.noteSources),

		bound(route{method: post, path: one + "/search", name: "search", summary: "Search by a formula", role: Read, opens: true, kind: asking, problems: []int{404, 502}}, s.search),
		bound(route{method: post, path: one + "/explain", name: "explain", summary: "Explain the score and rank of a document", role: Read, opens: true, kind: asking, problems: []int{404, 502}}, s.explain),
		bound(route{method: post, path: one + "/vector", name: "vector", summary: "Compute one query vector for a formula", role: Read, opens: true, kind: asking, problems: []int{404, 502}}, s.vector),

		bound(route{method: get, path: one + "/examples", name: "listExamples", summary: "List example queries: some of the collection's titles", role: Read, opens: true, kind: asking, problems: []int{404}}, s.listExamples),

		bound(route{method: get, path: one + "/screenings", name: "listScreenings", summary: "List screenings", role: Read, opens: true, kind: asking, problems: []int{404}}, s.listScreenings),
		bound(route{method: post, path: one + "/screenings", name: "makeScreening", summary: "Create a screening of all documents", role: Write, opens: true, kind: storing, status: http.StatusCreated, problems: []int{404, 409, 423, 507}}, s.makeScreening),
		bound(route{method: get, path: screeningPath, name: "getScreening", summary: "Count decisions and apply the stopping rule", role: Read, opens: true, kind: asking, problems: []int{404}}, s.getScreening),
		bound(route{method: post, path: screeningPath + "/next", name: "nextRecord", summary: "Reserve the next record for a person", role: Write, opens: true, kind: asking, problems: []int{404, 423}}, s.nextRecord),
		bound(route{method: post, path: screeningPath + "/decisions", name: "decide", summary: "Store a decision about a record, or take one back", role: Write, opens: true, kind: storing, problems: []int{404, 423, 507}}, s.decide),
		{method: get, path: screeningPath + "/export", name: "exportScreening", summary: "Export records and decisions, the PRISMA flow or an appendix", role: Read, opens: true, kind: asking, parameters: exporting, status: 200, givesType: exportTypes, problems: []int{404}, handle: s.exportScreening},

		bound(route{method: get, path: "/v1/rights", name: "getRights", summary: "Return the permissions of the key", role: Read}, s.rights),
		bound(route{method: post, path: "/v1/parse", name: "parse", summary: "Parse a query: tokens, errors and meaning, for editors", role: Read, kind: asking}, s.parse),
		bound(route{method: post, path: "/v1/plan", name: "plan", summary: "Return the strings that a search would encode", role: Read, kind: asking}, s.plan),
		bound(route{method: post, path: "/v1/embeddings", name: "embeddings", summary: "Encode texts, in OpenAI's format", role: Read, openAI: true, kind: asking, problems: []int{404, 502}}, s.embeddings),
		bound(route{method: get, path: "/v1/models", name: "listModels", summary: "List the models for embeddings, in OpenAI's format", role: Read, openAI: true, kind: asking}, s.listModels),
		bound(route{method: get, path: "/v1/models/{model}", name: "getModel", summary: "Describe a model, in OpenAI's format", role: Read, openAI: true, kind: asking, problems: []int{404}}, s.getModel),
		bound(route{method: get, path: "/v1/encoders", name: "listEncoders", summary: "List the encoders for new collections", role: Read}, s.listEncoders),

		bound(route{method: get, path: "/healthz", name: "health", summary: "Check that the process answers", role: Anyone}, s.health),
		bound(route{method: get, path: "/readyz", name: "ready", summary: "Check that requests can be answered", role: Anyone}, s.readiness),
		bound(route{method: get, path: "/version", name: "version", summary: "The version of the binary", role: Anyone}, s.version),
		{method: get, path: "/metrics", name: "metrics", summary: "Metrics for Prometheus", role: Read, status: 200, givesType: "text/plain", handle: s.metricsPage},
		{method: get, path: "/openapi.json", name: "openapiJSON", summary: "This description", role: Anyone, status: 200, givesType: "application/json", handle: fixed("application/json", &s.openAPI)},
		{method: get, path: "/docs", name: "docs", summary: "A page that shows this description", role: Anyone, status: 200, givesType: "text/html", handle: fixed("text/html; charset=utf-8", &docsHTML)},
		{method: get, path: "/docs/docs.js", name: "docsScript", summary: "The script of that page", role: Anyone, status: 200, givesType: "text/javascript", handle: fixed("text/javascript; charset=utf-8", &docsScript)},
		{method: get, path: "/docs/docs.css", name: "docsStyle", summary: "The style of that page", role: Anyone, status: 200, givesType: "text/css", handle: fixed("text/css; charset=utf-8", &docsStyle)},
	}
}
