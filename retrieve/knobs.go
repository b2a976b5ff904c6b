package retrieve

import (
	"encoding"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/fusion"
	"github.com/nsfl-go/nsfl/logic"
	"github.com/nsfl-go/nsfl/query/nl"
)

// Knob describes one option of a search: its name, meaning and valid values. Command-line
// flags, request fields and page controls are all generated from knobs.
type Knob struct {
	Name    string // the name of the flag
	Letter  string // the short form of the flag; empty if there is none
	Help    string
	Words   []string // the valid words of an enumerated option; Or describes any other valid value
	Or      string
	Low     float64 // Low and High limit a numeric option
	High    float64
	Default string
	// Calculus marks an option of logic.Options, which requests nest in an object of its own.
	Calculus bool

	value any // *int, *float64, **float64, *bool or encoding.TextUnmarshaler
	ready func()
}

// Field returns the name of the option in JSON.
func (k Knob) Field() string {
	switch k.Name {
	case "results":
		return "k"
	case "facet":
		return "facets"
	}
	return strings.ReplaceAll(k.Name, "-", "_")
}

// IsSwitch reports whether the option is a boolean.
func (k Knob) IsSwitch() bool { _, ok := k.value.(*bool); return ok }

// IsList reports whether the option is a list of names: an array in JSON, separated by commas
// in a flag.
func (k Knob) IsList() bool {
	_, names := k.value.(namedFields)
	return names || k.IsFacets()
}

// IsFacets reports whether the option is a list of fields with optional sizes.
func (k Knob) IsFacets() bool { _, ok := k.value.(wishedFacets); return ok }

// IsNumber reports whether the option is a number, and whether it is an integer.
func (k Knob) IsNumber() (number, whole bool) {
	switch k.value.(type) {
	case *int:
		return true, true
	case *float64, **float64, *logic.Coefficient:
		return true, false
	}
	return false, false
}

// Set parses a value and stores it.
func (k Knob) Set(text string) (err error) {
	if k.ready != nil {
		k.ready()
	}
	switch v := k.value.(type) {
	case *int:
		if *v, err = strconv.Atoi(text); err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
	case *float64:
		if *v, err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
	case **float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		*v = &x
	case *logic.Coefficient:
		c, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		*v = logic.C(c)
	case *bool:
		if *v, err = strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%q is not true or false", text)
		}
	case encoding.TextUnmarshaler:
		return v.UnmarshalText([]byte(text))
	}
	return nil
}

// Usage returns the help text with the valid values.
func (k Knob) Usage() string {
	if len(k.Words) == 0 {
		return k.Help
	}
	words := k.Words
	if k.Or != "" {
		words = append(slices.Clone(words), k.Or)
	}
	last := len(words) - 1
	return k.Help + ": " + strings.Join(words[:last], ", ") + " or " + words[last]
}

// Knobs returns the options of o. Setting a knob changes o.
func (o *Options) Knobs() []Knob {
	knobs := []Knob{
		{Name: "results", Letter: "k", Help: "the number of results", Low: 1, High: MaxK, Default: "10", value: &o.K},
		{Name: "offset", Help: "skip this many of the best results, to get the next page", High: MaxK - 1, Default: "0", value: &o.Offset},
		{Name: "min-probability", Help: "hide results below this match probability; needs a calibrated profile", High: 1, Default: "0", value: &o.MinProbability},
		{Name: "all", Help: "also show results that mention no wanted word and are unlikely to match", value: &o.All},
		{Name: "explain", Letter: "e", Help: "explain how each score was computed", value: &o.Explain},
		{Name: "compare", Help: "show the rank of each result in plain retrieval", value: &o.Compare},
		{Name: "all-copies", Help: "list copies of a document as separate results", value: &o.AllCopies},
		{Name: "text", Help: "how much text to return, the beginning of the best passage, the whole passage or the whole document", Words: detailNames, Default: "snippet", value: &o.Text},
		{Name: "fields", Help: "the metadata fields to return, such as year,kind; default: all", value: namedFields{&o.Fields}},
		{Name: "facet", Help: "count the values of these fields in the documents that pass the filter and in the first 100 results, such as kind,year:20 for at most 20 values or ranges; default: 10", value: wishedFacets{&o.Facets}},
		{Name: "nl", Help: "how plain language is read; auto reads a query without operators if its meaning is clear", Words: nl.WayNames(), Default: "auto", value: &o.PlainLanguage},
	}
	return append(knobs, o.Research.Knobs()...)
}

// Knobs returns the options of r. Setting a knob changes r.
func (r *Research) Knobs() []Knob {
	style := &chosenStyle{r}
	knobs := []Knob{
		{Name: "mode", Help: "how documents are found and ranked", Words: modeNames, Default: "auto", value: &r.Mode},
		{Name: "pool", Help: "what candidates are searched by, the whole query or each wanted part", Words: poolNames, Default: "monolithic", value: &r.Pool},
		{Name: "candidates", Help: "the number of candidates; in mode hybrid, the most documents to read for each vector of the proof", Low: 1, High: MaxCandidates, Default: "1000", value: &r.Candidates},
		{Name: "fusion", Help: "how atoms are joined into strings to encode; default: as the profile says", Words: fusion.StyleNames(), value: style},
		{Name: "words", Help: "the weight of words relative to vectors; 0: none; default: as the profile says", High: logic.MaxCoefficient, value: &r.Words},
		{Name: "solver", Help: "how the query vector of modes sqo and hybrid is computed", Words: solverNames, Default: "exact", value: &r.Solver},
	}
	return append(knobs, r.logicKnobs()...)
}

// logicKnobs returns the options of the calculus. Setting any of them replaces the profile's
// choice: the others then default to the paper's values.
func (r *Research) logicKnobs() []Knob {
	l := r.Logic
	if l == nil {
		l = &logic.Options{}
	}
	knobs := []Knob{
		{Name: "c-and", Help: "the coefficient of AND", High: logic.MaxCoefficient, Default: "1", value: &l.And},
		{Name: "c-not", Help: "the coefficient of NOT", High: logic.MaxCoefficient, Default: "1", value: &l.Not},
		{Name: "gate", Help: "the gate of NOT", Words: []string{"pool", "off"}, Or: "an upper bound of similarities in the corpus, such as 0.6", Default: "pool", value: &l.Gate},
		{Name: "gate-cap", Help: "the largest part of a penalty that NOT may subtract, such as 0.5; 0: no limit", High: 1, Default: "0", value: &l.GateCap},
		{Name: "similarity", Help: "how a cosine becomes a similarity", Words: logic.SimilarityNames(), Default: "clamp", value: &l.Similarity},
		{Name: "no-floors", Help: "noise floors to switch off, such as and,not,or", Default: "", value: &l.NoFloor},
	}
	for i := range knobs {
		knobs[i].Calculus, knobs[i].ready = true, func() { r.Logic = l }
	}
	return knobs
}

// chosenStyle stores the fusion style in Research.
type chosenStyle struct{ r *Research }

// UnmarshalText parses the name of a style.
func (c *chosenStyle) UnmarshalText(text []byte) error {
	s, err := fusion.ParseStyle(string(text))
	if err == nil {
		c.r.Fusion = &s
	}
	return err
}
