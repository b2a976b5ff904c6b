package peers

import (
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/query"
)

// Every template has sentences, every sentence names every atom, and sentences with an
// exclusion are parsed with one.
func TestSayings(t *testing.T) {
	for _, template := range sets.Templates {
		f, err := query.ParseFormula(strings.NewReplacer("A ", `"red cars" `, " B", ` "old bridges"`, " C", ` "tall trees"`).Replace(template))
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range sentenceForms[template] {
			text := fillIn(way, f)
			for a := range query.Atoms(f.Root) {
				if !strings.Contains(text, a.Text) {
					t.Errorf("%s does not name %s", text, a.Text)
				}
			}
		}
		if len(sentenceForms[template]) == 0 {
			t.Errorf("%s has no sentence", template)
		}
	}
}
