package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/doc"
)

// card describes the query language to a model, one example per line. It is part of the
// description of search, because not all clients show a model the instructions or resources
// of a server.
const card = `golden retriever # adjacent words are one atom
dog AND ball
dog OR cat
dog AND NOT leash # NOT binds tightest, then AND, then OR
(beach OR lake) AND sunset
"salt AND pepper" AND NOT "part (2)" # quote what has ( ) , : ^ or an operator in it
2 OF (wind, solar, hydro) # at least two
dog^2 AND ball # dog weighs twice as much
dog AND year:>=2015 AND year:<2020 # field:value, < <= > >= filter by metadata; list_collections has the fields
dog AND (lang:en OR lang:de) AND NOT genre:"film noir" # OR joins conditions with conditions only
dog AND NOT text:"tennis ball" # text: filters by words; NOT ball without it only ranks lower
dog AND train* NEAR/5 guide AND title:(pup) # exact words
like:ID AND NOT example:"some text" # similar to a stored document; similar to a text`

const languageURI = scheme + "language"

// addLanguage offers the reference of the language as a resource, for users and agents who
// need more than the card.
func addLanguage(s *sdk.Server) {
	page := doc.Language()
	s.AddResource(&sdk.Resource{
		URI: languageURI, Name: "language", Title: "The query language", MIMEType: "text/markdown", Size: int64(len(page)),
		Description: "The whole language of queries on one page.",
	}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: languageURI, MIMEType: "text/markdown", Text: page}}}, nil
	})
}
