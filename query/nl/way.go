package nl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/internal/enum"
	"github.com/nsfl-go/nsfl/query"
)

// Way selects how a text becomes a formula.
type Way uint8

const (
	Auto  Way = iota // read by rules if the text has no operators and is clearly a request; otherwise parse it
	Off              // parse the text as a formula
	Rules            // read by rules
	LLM              // read by a chat endpoint, or by rules if that fails
)

var wayNames = []string{"auto", "off", "rules", "llm"}

func (w Way) String() string { return enum.Of(wayNames, w) }

// WayNames returns the names that UnmarshalText accepts.
func WayNames() []string { return slices.Clone(wayNames) }

// MarshalText returns the name of w.
func (w Way) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText sets w to the way with the given name.
func (w *Way) UnmarshalText(text []byte) (err error) {
	*w, err = enum.Find[Way]("way to read plain language", wayNames, string(text))
	return err
}

// ErrNoChat reports that LLM was requested without a chat endpoint.
var ErrNoChat = errors.New("plain language cannot be read by llm: there is no chat endpoint to ask")

// Chat reads plain language with a model. ErrNoChat is returned to the caller; after any other
// error the rules read the text.
type Chat interface {
	Read(ctx context.Context, text string) (Reading, error)
}

// As reads a text in the given way; only LLM uses chat. It returns a *query.SyntaxError for a
// malformed formula and, whatever the way, for a text that is empty, too long or not UTF-8.
func As(ctx context.Context, text string, way Way, chat Chat) (Reading, error) {
	n, err := query.Parse(text)
	formula := Reading{Node: n, Formula: true}
	switch {
	case way == Off || strings.TrimSpace(text) == "" || len(text) > query.MaxBytes || !utf8.ValidString(text):
		return formula, err
	case way == LLM && (err != nil || !hasOperators(text)):
		return ask(ctx, text, chat)
	case way == LLM:
		return formula, nil
	case way == Rules:
		return Read(text), nil
	case hasOperators(text) && !(err != nil && isQuestion(split(text))):
		return formula, err
	case err != nil && hasOperators(text): // the difference between AND and OR
		return Read(text), nil
	}
	if r := Read(text); r.sure {
		return r, nil
	}
	return formula, err
}

// ask reads a text with the model, or by rules if that fails.
func ask(ctx context.Context, text string, chat Chat) (Reading, error) {
	if chat == nil {
		return Reading{}, fmt.Errorf("%w; take auto or rules", ErrNoChat)
	}
	r, err := chat.Read(ctx, text)
	switch {
	case err == nil:
		return r, nil
	case errors.Is(err, ErrNoChat) || ctx.Err() != nil:
		return Reading{}, err
	}
	r = Read(text)
	r.Notes = append(r.Notes, "read by rules: "+err.Error())
	return r, nil
}
