package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/query"
	"github.com/nsfl-go/nsfl/server/auth"
)

// Each line of the card is a query, and together they show the whole language but
// pictures.
func TestCard(t *testing.T) {
	kinds := map[query.TokenKind]bool{}
	items := map[query.Kind]bool{}
	for line := range strings.SplitSeq(card, "\n") {
		text, _, _ := strings.Cut(line, " # ")
		f, err := query.ParseFormula(text)
		if err != nil || f.Root == nil || len(query.Hints(f.Root)) > 0 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, token := range query.Tokens(text) {
			kinds[token.Kind] = true
		}
		for a := range query.Atoms(f.Root) {
			items[a.Kind] = true
		}
	}
	for kind := query.TokenBlank; kind < query.TokenError; kind++ {
		if !kinds[kind] && kind != query.TokenPlus {
			t.Errorf("no line shows %s", kind)
		}
	}
	if !items[query.Like] || !items[query.Example] {
		t.Error("like: and example: are not shown")
	}
	if _, err := query.ParseFormula(sample); err != nil {
		t.Error(err)
	}
}

// Whoever offers the tools pays for their words in every conversation. What a model sees
// of a tool are its name, its description and its arguments; some clients add what it
// answers. Some four characters are a token.
func TestToolListIsShort(t *testing.T) {
	session := inMemory(t, newShelf(t), Options{Role: auth.Admin})
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, tool := range list.Tools {
		input, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(tool.Description); n > 260 && tool.Name != "search" {
			t.Errorf("the description of %s has %d bytes", tool.Name, n)
		}
		seen += len(tool.Name) + len(tool.Description) + len(input)
	}
	all, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	hints := len(session.InitializeResult().Instructions)
	t.Logf("the tools have %d bytes, %d with what they answer, the instructions %d", seen, len(all), hints)
	if seen > 4900 || len(all) > 13500 || hints > 300 {
		t.Error("that is too much")
	}
}
