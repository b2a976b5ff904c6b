package screening

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nsfl-go/nsfl/engine"
)

// Label is the outcome of a decision.
type Label string

// The labels. Undone takes back the person's previous decision about a record.
const (
	Include Label = "include"
	Exclude Label = "exclude"
	Unsure  Label = "unsure"
	Undone  Label = "undone"
)

// Decision is a person's decision about a record.
type Decision struct {
	Record string    `json:"record" doc:"the id of the document"`
	Label  Label     `json:"label" enum:"include,exclude,unsure,undone"`
	Person string    `json:"person" doc:"who decided"`
	Reason string    `json:"reason,omitempty"`
	Time   time.Time `json:"time"`
	// Sample marks a record that was drawn at random from those unread, not by rank.
	Sample bool `json:"sample,omitempty" doc:"the record was drawn at random"`
}

// Limits of what a person enters.
const (
	maxPerson = 200
	maxReason = 2000
)

// check returns an *engine.InputError if a decision cannot be stored.
func (d *Decision) check() error {
	switch {
	case !slices.Contains([]Label{Include, Exclude, Unsure, Undone}, d.Label):
		return engine.BadInput("decision", "%q is no label: it is one of include, exclude, unsure and undone", d.Label)
	case len(d.Reason) > maxReason:
		return engine.BadInput("decision", "the reason has %d bytes, at most %d are possible", len(d.Reason), maxReason)
	}
	return CheckPerson(d.Person)
}

// CheckPerson returns an *engine.InputError unless a name can be that of a person.
func CheckPerson(name string) error {
	if name == "" || len(name) > maxPerson || strings.ContainsFunc(name, unicode.IsControl) {
		return engine.BadInput("decision", "the person needs a name of at most %d bytes without control characters", maxPerson)
	}
	return nil
}

// Settings describe a screening.
type Settings struct {
	Name string `json:"name"`
	// Formula holds the inclusion criteria. Without one, records come in random order until
	// there are an inclusion and an exclusion.
	Formula string    `json:"formula,omitempty" doc:"the inclusion criteria, a formula"`
	Created time.Time `json:"created"`
	Person  string    `json:"person,omitempty" doc:"who created it"`
	// Seed determines the order of records without a formula, and random samples.
	Seed uint64 `json:"seed" doc:"of the random order"`
}

// notes is the prefix of the notes that hold screenings: settings are in "screening:NAME",
// decisions in "screening:NAME:TIME:PERSON".
const notes = "screening:"

// Errors of Open and Create.
var (
	ErrNotFound = errors.New("no such screening")
	ErrExists   = errors.New("there is a screening of that name; choose another name")
)

// NameForm is the pattern of the names of screenings.
const NameForm = `^[a-z0-9][a-z0-9_-]{0,63}$`

var validName = regexp.MustCompile(NameForm)

// Create stores the settings of a new screening.
func Create(ctx context.Context, store engine.Collection, s Settings) error {
	if !validName.MatchString(s.Name) {
		return engine.BadInput("screening", "%q is no name: use up to 64 of a to z, 0 to 9, - and _", s.Name)
	}
	have, err := List(ctx, store)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(have, func(x Settings) bool { return x.Name == s.Name }) {
		return fmt.Errorf("%w: %q", ErrExists, s.Name)
	}
	return put(ctx, store, notes+s.Name, s)
}

// List returns the screenings of a collection by name.
func List(ctx context.Context, store engine.Collection) ([]Settings, error) {
	return read[Settings](ctx, store, notes)
}

// decisions reads the decisions of a screening in the order in which they were made.
func decisions(ctx context.Context, store engine.Collection, name string) ([]Decision, error) {
	return read[Decision](ctx, store, notes+name+":")
}

// read decodes the notes with a prefix in the order of their names.
func read[T any](ctx context.Context, store engine.Collection, prefix string) ([]T, error) {
	found, err := store.Notes(ctx, prefix)
	if err != nil {
		return nil, err
	}
	out := []T{}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if prefix == notes && strings.Contains(strings.TrimPrefix(name, prefix), ":") {
			continue // a decision
		}
		var v T
		if err := json.Unmarshal([]byte(found[name]), &v); err != nil {
			return nil, fmt.Errorf("reading note %q: %w", name, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// stamp is the form of a decision's time in the name of its note. It sorts by time.
const stamp = "2006-01-02T15:04:05.000000000Z"

// keep stores a decision. It is on disk when keep returns.
func keep(ctx context.Context, store engine.Collection, name string, d Decision) error {
	return put(ctx, store, notes+name+":"+d.Time.Format(stamp)+":"+d.Person, d)
}

func put(ctx context.Context, store engine.Collection, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return store.SetNotes(ctx, map[string]string{name: string(text)})
}
