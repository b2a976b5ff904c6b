package server

import "github.com/nsfl-go/nsfl/query"

// Token is a token of a query, for syntax highlighting.
type Token struct {
	Start int    `json:"start" doc:"in bytes"`
	End   int    `json:"end"`
	Kind  string `json:"kind" enum:"atom,quoted,operator,not,paren,predicate,item,weight,error"`
}

// tokensOf returns the tokens of a query without whitespace.
func tokensOf(text string) []Token {
	out := []Token{}
	for _, t := range query.Tokens(text) {
		if t.Kind != query.TokenBlank {
			out = append(out, Token{t.Start, t.End, t.Kind.String()})
		}
	}
	return out
}
