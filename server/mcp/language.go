package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nsfl-go/nsfl/doc"
)

// card is the language for a model, which reads it before every search: one example a
// line. It stands in the description of search, since not every client shows a model the
// instructions of a server, or resources.
const card = `golden retriever # words side by side are one atom: a thing, a topic
dog AND ball
dog OR cat
dog AND NOT leash # NOT binds tightest, then AND, then OR
(beach OR lake) AND sunset
"salt AND pepper" AND NOT "part (2)" # quote what has ( ) , : ^ or an operator in it
2 OF (wind, solar, hydro) # at least two
dog^2 AND ball # dog weighs twice as much
dog AND year:>=2015 AND year:<2020 # field:value, < <= > >= are hard conditions on metadata; list_collections has the fields
dog AND (lang:en OR lang:de) AND NOT genre:"film noir" # OR joins conditions with conditions only
dog AND NOT text:"tennis ball" # text: is a hard condition on words; NOT ball without it only ranks lower
like:ID AND NOT example:"some text" # what is like a stored document; like a text`

const languageURI = scheme + "language"

// addLanguage offers the language on one page, for people and for agents that want to
// know more than the card says.
func addLanguage(s *sdk.Server) {
	page := doc.Language()
	s.AddResource(&sdk.Resource{
		URI: languageURI, Name: "language", Title: "The query language", MIMEType: "text/markdown", Size: int64(len(page)),
		Description: "The whole language of queries on one page.",
	}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: languageURI, MIMEType: "text/markdown", Text: page}}}, nil
	})
}
