package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/screening"
	"github.com/nsfl-go/nsfl/internal/version"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// roleExtension is the OpenAPI extension that names the required role of a route.
const roleExtension = "x-nsfl-role"

// describe returns the OpenAPI document of the routes. A search returns at most most results;
// keyed is set if the server needs keys.
func describe(routes []route, most int, keyed bool) *huma.OpenAPI {
	schemas := huma.NewMapRegistry("#/components/schemas/", schemaName)
	api := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "nsfl", Version: version.This().String(),
			Description: "Boolean search over embeddings. A query is a formula such as `(beach OR lake) AND NOT people year:>=2015`.",
			License:     &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
		},
		Servers:    []*huma.Server{{URL: "/", Description: "the server of this description"}},
		Tags:       tags,
		Components: &huma.Components{Schemas: schemas},
	}
	if keyed {
		api.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
			"bearer": {Type: "http", Scheme: "bearer", Description: "a key, nsfl_…"},
			"header": {Type: "apiKey", In: "header", Name: "X-API-Key"},
		}
	}
	for i := range routes {
		op := routes[i].operation(schemas)
		if !keyed {
			op.Description, op.Security = "Needs no key here.", []map[string][]string{}
		}
		api.AddOperation(op)
	}
	describeKnobs(schemas.Map(), most)
	describeNames(schemas.Map())
	prune(api)
	describeNull(api)
	return api
}

// prune removes unreferenced schemas.
func prune(api *huma.OpenAPI) {
	schemas := api.Components.Schemas.Map()
	for {
		text, err := json.Marshal(api)
		if err != nil {
			panic(err) // the document is built from constants
		}
		before := len(schemas)
		maps.DeleteFunc(schemas, func(name string, _ *huma.Schema) bool {
			return !bytes.Contains(text, []byte(`"#/components/schemas/`+name+`"`))
		})
		if len(schemas) == before {
			return
		}
	}
}

var tags = []*huma.Tag{
	{Name: "collections", Description: "Collections, their fields, backups and quotas"},
	{Name: "documents", Description: "Documents and the files they came from"},
	{Name: "search", Description: "Search, explanations and plans of formulas"},
	{Name: "screening", Description: "Decisions about which documents a review includes"},
	{Name: "encoders", Description: "Vectors for texts"},
	{Name: "server", Description: "The server itself"},
}

// tag returns the tag of a route.
func (r *route) tag() string {
	rest, ofCollection := strings.CutPrefix(r.path, one)
	last := rest[strings.LastIndex(rest, "/")+1:]
	switch {
	case strings.HasPrefix(rest, "/documents"), rest == "/files", rest == "/sources":
		return "documents"
	case ofCollection && slices.Contains([]string{"search", "explain", "vector", "examples"}, last), rest == "/v1/parse", rest == "/v1/plan":
		return "search"
	case strings.HasPrefix(rest, "/screenings"):
		return "screening"
	case ofCollection, rest == "/v1/collections", rest == "/v1/restore":
		return "collections"
	case r.openAI, rest == "/v1/encoders":
		return "encoders"
	}
	return "server"
}

func (r *route) operation(schemas huma.Registry) *huma.Operation {
	op := &huma.Operation{
		Method: r.method, Path: r.path, OperationID: r.name, Summary: r.summary,
		Tags:       []string{r.tag()},
		Responses:  map[string]*huma.Response{},
		Extensions: map[string]any{roleExtension: r.role.String()},
	}
	op.Security = []map[string][]string{}
	op.Description = "Needs no key."
	if r.role > Anyone {
		op.Description = fmt.Sprintf("Needs a key of the role %s.", r.role)
		op.Security = []map[string][]string{{"bearer": {}}, {"header": {}}}
	}
	r.describeParameters(op)
	if r.takes != nil {
		// A stream may be empty.
		op.RequestBody = &huma.RequestBody{Required: r.takesType != ndjson, Content: map[string]*huma.MediaType{
			cmp.Or(r.takesType, "application/json"): {Schema: schemas.Schema(r.takes, true, "")},
		}}
	}
	success := &huma.Response{Description: http.StatusText(r.status)}
	if r.givesType == ndjson {
		success.Description = "One JSON object per line."
	}
	if r.gives != nil {
		success.Content = map[string]*huma.MediaType{cmp.Or(r.givesType, "application/json"): {Schema: schemas.Schema(r.gives, true, "")}}
	} else if r.givesType != "" {
		success.Content = map[string]*huma.MediaType{}
		for mediaType := range strings.SplitSeq(r.givesType, ",") {
			success.Content[mediaType] = &huma.MediaType{}
		}
	}
	op.Responses[strconv.Itoa(r.status)] = success
	problem := &huma.Schema{Ref: "#/components/schemas/Problem"}
	schemas.Schema(reflect.TypeFor[Problem](), true, "")
	for _, status := range append(r.usualProblems(), r.problems...) {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: problem}},
		}
	}
	return op
}

// usualProblems returns the error statuses that are not listed in the table.
func (r *route) usualProblems() []int {
	all := []int{400, 403, 405, 500, 503}
	if r.role > Anyone {
		all = append(all, 401)
	}
	if r.takes != nil {
		all = append(all, 413, 415)
	}
	if r.kind != free {
		all = append(all, 429, 504)
	}
	return all
}

// parameter is a path or query parameter.
type parameter struct {
	name, text string
	schema     *huma.Schema
}

// ofPath are the path parameters.
var ofPath = map[string]parameter{
	"name":      {"name", "the collection", &huma.Schema{Type: huma.TypeString, Pattern: workspace.NameForm}},
	"id":        {"id", "the document, percent-encoded", &huma.Schema{Type: huma.TypeString, MinLength: new(1), MaxLength: new(engine.MaxIDBytes)}},
	"screening": {"screening", "the screening", &huma.Schema{Type: huma.TypeString, Pattern: screening.NameForm}},
	"model":     {"model", "the spec of an encoder or the name of a collection, percent-encoded", &huma.Schema{Type: huma.TypeString, MinLength: new(1)}},
}

var pathParameter = regexp.MustCompile(`{(\w+)}`)

func (r *route) describeParameters(op *huma.Operation) {
	for _, match := range pathParameter.FindAllStringSubmatch(r.path, -1) {
		p := ofPath[match[1]]
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "path", Required: true, Description: p.text, Schema: p.schema})
	}
	for _, p := range r.parameters {
		op.Parameters = append(op.Parameters, &huma.Param{Name: p.name, In: "query", Description: p.text, Schema: p.schema})
	}
}

// describeNames sets the pattern of collection names.
func describeNames(schemas map[string]*huma.Schema) {
	for _, request := range []string{"NewCollection", "Restoring"} {
		schemas[request].Properties["name"].Pattern = workspace.NameForm
	}
}
