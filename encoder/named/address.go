package named

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/openai"
)

// byAddress opens the server given as http://HOST/v1?query=…#MODEL.
func byAddress(ctx context.Context, word string) (*Encoder, error) {
	c, err := readAddress(word)
	if err != nil {
		return nil, err
	}
	e, err := openai.New(ctx, c)
	return &Encoder{Encoder: e}, err
}

// readAddress parses such an address. Its errors never quote the address, which may contain
// a password.
func readAddress(word string) (openai.Config, error) {
	address, fragment, _ := strings.Cut(word, "#")
	base, settings, _ := strings.Cut(address, "?")
	model, err := url.PathUnescape(fragment)
	if err != nil || model == "" {
		return openai.Config{}, errors.New("an encoder's address needs the model after #, as in http://localhost:8080/v1#MODEL")
	}
	c := openai.Config{BaseURL: base, Model: model}
	values, err := url.ParseQuery(settings)
	if err != nil {
		return c, errors.New("bad settings after ? in the encoder's address; write them as query=query:+&document=passage:+")
	}
	for name := range values {
		prefix := prefixOf(&c.Prefixes, name)
		if prefix == nil {
			return c, fmt.Errorf("unknown setting %q in the encoder's address; use query, document or passage to set prefixes", name)
		}
		*prefix = values.Get(name)
	}
	if os.Getenv(keyEnv) != "" {
		c.APIKeyEnv = keyEnv
	}
	return c, nil
}

// prefixOf returns the prefix that a setting sets, or nil if it is not a prefix setting.
func prefixOf(p *encoder.Prefixes, setting string) *string {
	switch setting {
	case "query":
		return &p.Query
	case "document":
		return &p.Document
	case "passage":
		return &p.Passage
	}
	return nil
}
