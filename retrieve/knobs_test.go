package retrieve

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestKnobs checks that each knob has the same effect as a flag and as a JSON field and
// rejects invalid values, and that every field of Options has a knob.
func TestKnobs(t *testing.T) {
	fields := map[string]bool{}
	for _, k := range new(Options).Knobs() {
		if k.Calculus {
			fields["logic"] = true
		} else {
			fields[k.Field()] = true
		}
		values := slices.Clone(k.Words)
		number, whole := k.IsNumber()
		switch {
		case k.IsSwitch():
			values = []string{"true"}
		case number && whole:
			values = []string{"7"}
		case number:
			values = []string{"0.5"}
		case k.Name == "gate":
			values = append(values, "0.25")
		case k.Name == "no-floors":
			values = []string{"and,or", ""}
		case k.IsList():
			values = []string{"a, b", ""}
		}
		for _, v := range values {
			var byFlag, byJSON Options
			if err := find(t, byFlag.Knobs(), k.Name).Set(v); err != nil {
				t.Errorf("--%s %s: %v", k.Name, v, err)
			}
			text := strconv.Quote(v)
			if _, err := strconv.ParseFloat(v, 64); k.IsSwitch() || err == nil {
				text = v
			}
			if k.IsList() {
				text = map[string]string{"a, b": `["a", "b"]`, "": `[]`}[v]
			}
			text = `{"` + k.Field() + `":` + text + `}`
			if k.Calculus {
				text = `{"logic":` + text + `}`
			}
			if err := json.Unmarshal([]byte(text), &byJSON); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			if !reflect.DeepEqual(byFlag, byJSON) {
				t.Errorf("--%s %s is %+v, and %s is %+v", k.Name, v, byFlag, text, byJSON)
			}
			if err := byFlag.Check(); err != nil {
				t.Errorf("--%s %s: %v", k.Name, v, err)
			}
		}
		var o Options
		if err := find(t, o.Knobs(), k.Name).Set("nonsense"); err == nil && !k.IsList() {
			t.Errorf("--%s nonsense is accepted", k.Name)
		}
		if number && k.High > 0 {
			if err := find(t, o.Knobs(), k.Name).Set(strconv.FormatFloat(2*k.High, 'g', -1, 64)); err == nil && o.Check() == nil {
				t.Errorf("--%s may be above %v", k.Name, k.High)
			}
		}
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Options](), reflect.TypeFor[Research]()} {
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name != "" && name != "-" && !fields[name] {
				t.Errorf("there is no knob for %s", name)
			}
		}
	}
}

func find(t *testing.T, knobs []Knob, name string) Knob {
	t.Helper()
	i := slices.IndexFunc(knobs, func(k Knob) bool { return k.Name == name })
	if i < 0 {
		t.Fatalf("there is no knob %s", name)
	}
	return knobs[i]
}
