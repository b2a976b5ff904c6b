package logic

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestOptionsAsJSON(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, `{}`},
		{
			Options{Similarity: Raw, GateCap: 0.5},
			`{"similarity":"raw","gate_cap":0.5}`,
		},
		{
			Options{And: C(0), Not: C(1), Gate: Gate{Kind: ByBound, Bound: 0.6}, NoFloor: AndFloor | OrFloor, Similarity: Affine},
			`{"similarity":"affine","c_and":0,"c_not":1,"gate":0.6,"no_floors":"and,or"}`,
		},
		{Options{Gate: Gate{Kind: Ungated}, NoFloor: AllFloors}, `{"gate":"off","no_floors":"and,not,or"}`},
	} {
		data, err := json.Marshal(c.o)
		if err != nil || string(data) != c.want {
			t.Errorf("%+v is %s (%v), want %s", c.o, data, err, c.want)
		}
		var back Options
		if err := json.Unmarshal([]byte(c.want), &back); err != nil || back != c.o {
			t.Errorf("%s is read as %+v (%v), want %+v", c.want, back, err, c.o)
		}
	}
	// Named defaults and nulls are the zero value.
	var o Options
	if err := json.Unmarshal([]byte(`{"similarity":"clamp","c_and":null,"gate":"pool","no_floors":""}`), &o); err != nil || o != (Options{}) {
		t.Errorf("got %+v and error %v, want the zero value", o, err)
	}
	for text, want := range map[string]string{
		`{"similarity":"cos"}`:    `unknown similarity "cos": it is one of clamp, affine, raw`,
		`{"gate":"corpus"}`:       `unknown gate "corpus": it is pool, off, or a bound`,
		`{"gate":1.5}`:            `above 0 and at most 1`,
		`{"no_floors":"and,xor"}`: `unknown noise floor "xor": it is one of and, not, or`,
	} {
		if err := json.Unmarshal([]byte(text), &o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestUnnamedChoices(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Similarity: 3}, "unknown similarity 3"},
		{Options{Gate: Gate{Kind: 3}}, "unknown kind of gate 3"},
		{Options{NoFloor: 8}, "noise floors is 8"},
		{Options{GateCap: 1.5}, "cap is 1.5"},
		{Options{GateCap: -0.5}, "above 0"},
	} {
		if err := c.o.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	if got := Similarity(7).String(); got != "unknown (7)" {
		t.Error(got)
	}
	r := rand.New(rand.NewPCG(61, 61))
	for range 100 {
		if o := cappedOptions(r); o.Check() != nil {
			t.Errorf("%+v: %v", o, o.Check())
		}
	}
}

// FuzzOptions: options that can be decoded survive a round trip.
func FuzzOptions(f *testing.F) {
	f.Add([]byte(`{"similarity":"raw","c_and":0,"gate":{"kind":"bound","bound":0.6,"cap":0.5},"no_floor":"and,or"}`))
	f.Add([]byte(`{"c_not":null,"gate":null,"no_floor":"or,or"}`))
	f.Add([]byte(`{"c_and":1e308}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var o, again Options
		if json.Unmarshal(data, &o) != nil {
			return
		}
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &again); err != nil || again != o {
			t.Fatalf("%s is read as %+v, %s as %+v (%v)", data, o, text, again, err)
		}
		if o.Check() != nil {
			return
		}
		if _, err := Compile(parse(t, "A AND B AND NOT C"), o); err != nil {
			t.Fatal(err)
		}
	})
}
