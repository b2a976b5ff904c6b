package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/bert"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
)

// Word selects this encoder in options and flags that name one. Word@REVISION selects an
// older revision.
const Word = "builtin"

// Name is the encoder's name in its identity.
const Name = "nsfl-builtin"

//go:embed model-1.bin
var model1 string

//go:embed model-2.bin
var model2 string

// revisions holds the models, oldest first. A model is read on first use.
var revisions = []revision{newRevision("1", model1), newRevision("2", model2)}

// revision is a model and its name, which its file contains.
type revision struct {
	name string
	data string
	open func() (*Encoder, error)
}

func newRevision(name, data string) revision {
	return revision{name, data, sync.OnceValues(func() (*Encoder, error) { return read(data) })}
}

// Encoder is a revision of the built-in encoder. It is immutable and safe for concurrent use.
type Encoder struct {
	model    *bert.Model
	identity encoder.Identity
	pieces   []string // word pieces by id
	tokens   *tokenizer.Tokenizer
}

var (
	_ encoder.Encoder = (*Encoder)(nil)
	_ encoder.Counter = (*Encoder)(nil)
)

// New returns the newest revision, which the whole program shares. It fails only if the
// binary was built with a damaged weights file.
func New() (*Encoder, error) { return revisions[len(revisions)-1].open() }

// Revision returns a revision by its name. Vectors of different revisions cannot be compared.
func Revision(name string) (*Encoder, error) {
	var known []string
	for _, r := range revisions {
		if r.name == name {
			return r.open()
		}
		known = append(known, r.name)
	}
	return nil, fmt.Errorf("this nsfl has no revision %s of the built-in encoder, only %s; use a newer version", name, strings.Join(known, " and "))
}

// For returns the revision that has an identity, or the newest one if the identity is not that
// of the built-in encoder.
func For(id encoder.Identity) (*Encoder, error) {
	if id.Name != Name {
		return New()
	}
	return Revision(id.Revision)
}

// Newest returns the name of the newest revision.
func Newest() string { return revisions[len(revisions)-1].name }

// Identity identifies the weights by their SHA-256.
func (e *Encoder) Identity() encoder.Identity { return e.identity }

// Tokens returns the number of word pieces in text.
func (e *Encoder) Tokens(text string) int { return e.tokens.Count(text) }

// Room returns the token limit less the two special tokens that surround a text.
func (e *Encoder) Room() int {
	around, _ := e.tokens.Encode("", 0)
	return e.model.Limit - len(around)
}

// Encode encodes texts on all processors. All roles are encoded alike.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	out, err := e.model.Encode(ctx, len(texts), func(i int) ([]int32, bool) { return e.tokens.Encode(texts[i], e.model.Limit) })
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("encoding with %s: %w", e.identity, err)
	}
	return out, err
}
