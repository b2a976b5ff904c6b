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

// Way is how a text becomes a formula.
type Way uint8

const (
	Off   Way = iota // it is a formula as it is written
	Auto             // plain language where it has no operators and a rule surely applies, else a formula
	Rules            // plain language, read by rules
	LLM              // plain language, read by a chat endpoint, or by rules where that fails
)

var wayNames = []string{"off", "auto", "rules", "llm"}

func (w Way) String() string { return enum.Of(wayNames, w) }

// WayNames are those that UnmarshalText knows.
func WayNames() []string { return slices.Clone(wayNames) }

// MarshalText writes the name.
func (w Way) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads a name.
func (w *Way) UnmarshalText(text []byte) (err error) {
	*w, err = enum.Find[Way]("way to read plain language", wayNames, string(text))
	return err
}

// ErrNoChat says that LLM was asked for and no chat endpoint is there.
var ErrNoChat = errors.New("plain language cannot be read by llm: there is no chat endpoint to ask")

// Chat reads plain language by a model. An error that is an ErrNoChat ends what asked for
// it; with any other the rules take over.
type Chat interface {
	Read(ctx context.Context, text string) (Reading, error)
}

// As reads a text in a way; chat is asked in the way LLM. A mistake in a formula is a
// *query.SyntaxError, and so is, in any way, a text that is empty, too long or not text at
// all.
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

// ask has a model read a text, or the rules where it fails.
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
