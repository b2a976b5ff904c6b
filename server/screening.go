package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/nsfl-go/nsfl/internal/screening"
	"github.com/nsfl-go/nsfl/internal/version"
	"github.com/nsfl-go/nsfl/query"
)

// ScreeningList lists the screenings of a collection.
type ScreeningList struct {
	Screenings []screening.Settings `json:"screenings" nullable:"false"`
}

// NewScreening is the request to create a screening.
type NewScreening struct {
	Name    string `json:"name" example:"pigs" pattern:"^[a-z0-9][a-z0-9_-]{0,63}$" doc:"up to 64 of a to z, 0 to 9, - and _"`
	Formula string `json:"formula,omitempty" example:"virome AND (pigs OR cattle)" doc:"the inclusion criteria; without them records come in random order at first"`
	Person  string `json:"person,omitempty" maxLength:"200" doc:"who creates it; the key's note if omitted"`
}

// ScreeningState is a screening with its counts.
type ScreeningState struct {
	screening.Settings
	Progress screening.Progress `json:"progress"`
}

// NextRecord is the request for the next record.
type NextRecord struct {
	Person string `json:"person,omitempty" maxLength:"200" doc:"who screens; the key's note if omitted, required without keys"`
	Sample bool   `json:"sample,omitempty" doc:"a random unread record, to estimate how many were missed"`
}

// ScreeningRecord is a record that is reserved for a person for ten minutes, or until the
// person gets another one.
type ScreeningRecord struct {
	Record   *Document          `json:"record,omitempty" doc:"omitted if every record is read or reserved for somebody else"`
	Why      string             `json:"why,omitempty" doc:"why it is shown, in words"`
	Terms    []string           `json:"terms" nullable:"false" doc:"words and phrases of the formula and of the decisions, to highlight"`
	Progress screening.Progress `json:"progress"`
}

// NewDecision is a decision to store.
type NewDecision struct {
	Record string          `json:"record,omitempty" maxLength:"1024" doc:"the id of the document; omit it to take back the person's last decision"`
	Label  screening.Label `json:"label" enum:"include,exclude,unsure,undone" doc:"undone takes a decision back"`
	Person string          `json:"person,omitempty" maxLength:"200" doc:"who decides; the key's note if omitted, required without keys"`
	Reason string          `json:"reason,omitempty" maxLength:"2000"`
	Sample bool            `json:"sample,omitempty" doc:"the record was drawn at random"`
}

// DecisionAnswer is a stored decision.
type DecisionAnswer struct {
	Decision screening.Decision `json:"decision"`
	Progress screening.Progress `json:"progress"`
}

// person returns the given name or, without one, the note of the key.
func (x *exchange) person(given string) (string, error) {
	if given = strings.TrimSpace(given); given == "" && x.record.holder != nil {
		given = cmp.Or(x.record.holder.Note, x.record.holder.ID)
	}
	if given == "" {
		return "", invalid("this server has no keys, so it does not know who you are; give your name as person")
	}
	return given, screening.CheckPerson(given)
}

func (s *Server) listScreenings(x *exchange, _ *nothing) (*ScreeningList, error) {
	list, err := screening.List(x.Context(), x.collection.Store())
	return &ScreeningList{Screenings: list}, err
}

func (s *Server) makeScreening(x *exchange, in *NewScreening) (*screening.Settings, error) {
	person, err := x.person(in.Person)
	if err != nil {
		return nil, err
	}
	if in.Formula != "" {
		if _, err := query.ParseFormula(in.Formula); err != nil {
			return nil, err
		}
	}
	made := &screening.Settings{Name: in.Name, Formula: in.Formula, Person: person, Created: time.Now().UTC().Truncate(time.Second), Seed: 1}
	err = x.collection.Screen(x.Context(), nil, func() error {
		return screening.Create(context.WithoutCancel(x.Context()), x.collection.Store(), *made)
	})
	if errors.Is(err, screening.ErrExists) {
		err = newProblem("exists", "there is a screening %q already; choose another name", in.Name)
	}
	return made, err
}

func (s *Server) getScreening(x *exchange, _ *nothing) (*ScreeningState, error) {
	open, err := s.screening(x)
	if err != nil {
		return nil, err
	}
	return &ScreeningState{open.Settings, open.Progress()}, nil
}

func (s *Server) nextRecord(x *exchange, in *NextRecord) (*ScreeningRecord, error) {
	person, err := x.person(in.Person)
	if err != nil {
		return nil, err
	}
	open, err := s.screening(x)
	if err != nil {
		return nil, err
	}
	id := open.Next(person, in.Sample)
	out := &ScreeningRecord{Terms: []string{}, Progress: open.Progress()}
	if id == "" {
		return out, nil
	}
	shown, err := open.Show(x.Context(), id, in.Sample)
	if err != nil {
		return nil, err
	}
	out.Record, out.Why, out.Terms = NewDocument(&shown.Document), shown.Why, append(out.Terms, shown.Terms...)
	return out, nil
}

func (s *Server) decide(x *exchange, in *NewDecision) (*DecisionAnswer, error) {
	person, err := x.person(in.Person)
	if err != nil {
		return nil, err
	}
	if in.Record == "" && in.Label != screening.Undone {
		return nil, invalid("record is missing; only the label undone goes without one")
	}
	open, err := s.screening(x)
	if err != nil {
		return nil, err
	}
	d := screening.Decision{Record: in.Record, Label: in.Label, Person: person, Reason: in.Reason, Sample: in.Sample}
	err = x.collection.Screen(x.Context(), []string{in.Record}, func() (err error) {
		d, err = open.Decide(context.WithoutCancel(x.Context()), d)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &DecisionAnswer{d, open.Progress()}, nil
}

// exportTypes are the media types of exports.
const exportTypes = "text/csv,application/x-research-info-systems,image/svg+xml,text/markdown"

func (s *Server) exportScreening(x *exchange) error {
	open, err := s.screening(x)
	if err != nil {
		return err
	}
	var mediaType string
	var write func(io.Writer) error
	format := cmp.Or(x.URL.Query().Get("format"), "csv")
	switch format {
	case "csv":
		mediaType, write = "text/csv; charset=utf-8", func(w io.Writer) error { return open.WriteCSV(x.Context(), w) }
	case "ris":
		mediaType, write = "application/x-research-info-systems", func(w io.Writer) error { return open.WriteRIS(x.Context(), w) }
	case "svg":
		mediaType, write = "image/svg+xml", open.WritePRISMA
	case "md":
		mediaType, write = "text/markdown; charset=utf-8", func(w io.Writer) error { return open.WriteAppendix(w, version.This().String()) }
	default:
		return invalid("format=%q is none of csv, ris, svg and md", format)
	}
	x.rest() // a slow client does not hold up searches
	h := x.w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", "attachment; filename="+open.Name+"."+format)
	x.compress(func(w http.ResponseWriter, _ *http.Request) { err = write(w) })
	if err != nil && x.record.status != 0 {
		panic(http.ErrAbortHandler) // the client must not take a part for the whole
	}
	return err
}
