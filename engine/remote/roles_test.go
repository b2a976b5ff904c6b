package remote

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

var (
	key    = Column{Name: "id", Type: "bigint", Kind: Value, Key: true}
	number = Column{Name: "year", Type: "integer", Kind: Value}
	body   = Column{Name: "body", Type: "text", Kind: Text}
	name   = Column{Name: "Name", Type: "text", Kind: Text}
	note   = Column{Name: "note", Type: "text", Kind: Text}
	meta   = Column{Name: "cmetadata", Type: "jsonb", Kind: Object}
	extra  = Column{Name: "extra", Type: "jsonb", Kind: Object}
	vector = Column{Name: "embedding", Type: "vector(3)", Kind: Vector}
	other  = Column{Name: "other", Type: "vector(3)", Kind: Vector}
	blob   = Column{Name: "data", Type: "bytea", Kind: Other}
)

func TestFill(t *testing.T) {
	for _, c := range []struct {
		given   string
		columns []Column
		want    string // the roles, or what the question has
	}{
		{"", []Column{key, body, name, number, vector}, "id=id&vector=embedding&text=body&title=Name"},
		{"", []Column{key, note, vector}, "id=id&vector=embedding&text=note"}, // the only text
		{"", []Column{key, note, name, vector}, "id=id&vector=embedding&title=Name"},
		{"", []Column{key, body, meta, vector}, "id=id&vector=embedding&text=body&metadata=cmetadata"},
		{"", []Column{key, body, meta, extra, vector}, "id=id&vector=embedding&text=body"}, // which of both is not clear
		{"", []Column{key, body, extra, vector}, "id=id&vector=embedding&text=body"},
		{"text=note&vector=other&id=body", []Column{key, body, note, vector, other}, "id=body&vector=other&text=note"},
		{"title=note", []Column{key, note, vector}, "id=id&vector=embedding&title=note"},
		{"", []Column{{Name: "uuid", Kind: Text}, vector}, "id=uuid&vector=embedding"},
		{"", []Column{key, vector, other}, "2 columns hold a vector: say which"},
		{"", []Column{key, body}, "no column holds a vector"},
		{"", []Column{number, vector}, "nothing says which column identifies a row"},
		{"", []Column{key, {Name: "b", Kind: Text, Key: true}, vector}, "the key has several columns"},
		{"text=nowhere", []Column{key, vector}, `there is no column "nowhere" for the text`},
		{"vector=body", []Column{key, body, vector}, "holds no vectors"},
		{"text=embedding", []Column{key, vector}, "cannot be the text"},
		{"text=data", []Column{key, blob, vector}, "cannot be the text"},
		{"metadata=body", []Column{key, body, vector}, "not a JSON object"},
	} {
		settings, err := url.ParseQuery(c.given + "&rest=1")
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadRoles(settings).Fill("engine://host/?table=x", c.columns)
		if len(settings) != 1 {
			t.Errorf("%q: %v are left", c.given, settings)
		}
		var input *engine.InputError
		switch asked := strings.Contains(c.want, " "); {
		case !asked && (err != nil || got.String() != c.want):
			t.Errorf("%q: %s, %v, want %s", c.given, got, err, c.want)
		case asked && (!errors.As(err, &input) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "for instance engine://host/?table=x&id=")):
			t.Errorf("%q: %v, want %q", c.given, err, c.want)
		}
	}
}

// What an address says of roles is what it is read as.
func FuzzRoles(f *testing.F) {
	f.Add("id", "Items on sale", "a+b&c=d", "%zz", "")
	f.Fuzz(func(t *testing.T, id, vector, text, title, metadata string) {
		want := Roles{id, vector, text, title, metadata}
		settings, err := url.ParseQuery(want.String())
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadRoles(settings); got != want || len(settings) > 0 {
			t.Errorf("%q is read as %+v", want, got)
		}
	})
}
