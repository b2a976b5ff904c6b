package nsfl

import (
	"context"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
)

// noting is an encoder that records its texts.
type noting struct {
	encoder.Encoder
	texts []string
}

func (n *noting) Unwrap() encoder.Encoder { return n.Encoder }

func (n *noting) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	n.texts = append(n.texts, texts...)
	return n.Encoder.Encode(ctx, role, texts)
}

// TestEncodeOnce: repeated passages are encoded once.
func TestEncodeOnce(t *testing.T) {
	e, err := builtin.New()
	if err != nil {
		t.Fatal(err)
	}
	n := &noting{Encoder: e}
	c, err := Open(t.Context(), t.TempDir(), &Config{Encoder: n})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	docs := []engine.Document{{ID: "stars", Text: strings.Repeat("* ", 5000)}}
	if _, err := c.Encode(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	if passages := docs[0].Passages; len(passages) < 20 || len(n.texts) > 2 || passages[0].Vector == nil || passages[18].Vector == nil {
		t.Errorf("got %d passages and %d encoded texts, want each text encoded once", len(passages), len(n.texts))
	}
}
