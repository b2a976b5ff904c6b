package server

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/retrieve"
)

// Every choice of a search is described as retrieve describes it, and a word that
// is none is answered with those there are.
func TestKnobs(t *testing.T) {
	a := withAnimals(t)
	var api any
	if err := json.Unmarshal(a.server.openAPI, &api); err != nil {
		t.Fatal(err)
	}
	schemas := at(api, "components", "schemas")
	most := map[string]int{"k": a.server.limits.Results, "offset": a.server.limits.Results - 1}
	for _, k := range new(retrieve.Options).Knobs() {
		if here, ok := most[k.Field()]; ok {
			k.High = float64(here)
		}
		schema := at(schemas, "Search", "properties", k.Field())
		body := `{"query": "dog AND NOT cat", "` + k.Field() + `": %s}`
		if k.Calculus {
			schema = at(schemas, calculusName, "properties", k.Field())
			body = `{"query": "dog AND NOT cat", "logic": {"` + k.Field() + `": %s}}`
		}
		if text, _ := at(schema, "description").(string); !strings.HasPrefix(text, k.Help) {
			t.Errorf("%s is described as %v", k.Name, schema)
		}
		switch number, _ := k.IsNumber(); {
		case number:
			if at(schema, "minimum") != k.Low || at(schema, "maximum") != k.High {
				t.Errorf("%s lies between %v and %v, want %v and %v", k.Name, at(schema, "minimum"), at(schema, "maximum"), k.Low, k.High)
			}
			for _, outside := range []float64{k.Low - 1, k.High + 1} {
				a.fails("invalid", "", "POST", searchPath, fmt.Sprintf(body, strconv.FormatFloat(outside, 'f', -1, 64)))
			}
		case k.IsSwitch():
			a.fails("invalid", "true or false", "POST", searchPath, fmt.Sprintf(body, `"x"`))
		default:
			p := a.fails("invalid", "", "POST", searchPath, fmt.Sprintf(body, `"x"`))
			if k.Or != "" {
				schema = at(schema, "oneOf", 0)
			}
			for i, word := range k.Words {
				if at(schema, "enum", i) != word || !strings.Contains(p["detail"].(string), word) {
					t.Errorf("%s: there is no %s in %v, or in %v", k.Name, word, schema, p["detail"])
				}
				a.call(200, "POST", searchPath, fmt.Sprintf(body, `"`+word+`"`))
			}
		}
	}
}
