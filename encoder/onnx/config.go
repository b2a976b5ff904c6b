package onnx

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// modelConfig holds the relevant fields of config.json.
type modelConfig struct {
	Kind      string       `json:"model_type"`
	Positions int          `json:"max_position_embeddings"`
	Pad       *int32       `json:"pad_token_id"`
	Text      *modelConfig `json:"text_config"`
}

// bertFamily lists the models whose layers are those of BERT.
var bertFamily = []string{"bert", "roberta", "xlm-roberta", "camembert"}

// towerPositions lists the positions of text-and-picture models. Their config.json omits
// values equal to the default of their kind.
var towerPositions = map[string]int{"clip": 77, "siglip": 64}

// mostTokens exceeds the limit of any model. Files contain 10³⁰ if the limit is unknown.
const mostTokens = 1 << 20

func (s *settings) readConfig(data []byte) error {
	var c modelConfig
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	s.kind = strings.TrimSuffix(c.Kind, "_text_model")
	if s.kind == "siglip2" { // reads texts like siglip
		s.kind = "siglip"
	}
	if slices.Contains(bertFamily, s.kind) {
		if err := json.Unmarshal(data, &s.architecture); err != nil {
			return err
		}
	}
	text := c
	if c.Text != nil {
		text = *c.Text
	}
	for _, n := range []int{text.Positions, towerPositions[s.kind]} {
		if n > 0 && n <= mostTokens {
			s.positions = n
			break
		}
	}
	s.padID = cmp.Or(text.Pad, c.Pad)
	if s.kind != "bert" && slices.Contains(bertFamily, s.kind) && s.positions > 0 {
		// Positions start after the padding token's id.
		pad := 1
		if s.padID != nil {
			pad = int(*s.padID)
		}
		s.skipped = pad + 1
		s.positions -= s.skipped
		if s.positions < 1 {
			return fmt.Errorf("max_position_embeddings leaves no positions after the padding token %d", pad)
		}
	}
	return nil
}

// readTokenizer reads tokenizer_config.json.
func (s *settings) readTokenizer(data []byte) error {
	var c struct {
		Max *float64        `json:"model_max_length"` // may be 10³⁰
		Pad json.RawMessage `json:"pad_token"`

		LowerCase *bool `json:"do_lower_case"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	if c.Max != nil && *c.Max >= 1 && *c.Max <= mostTokens {
		s.maxTokens = int(*c.Max)
	}
	s.cased = c.LowerCase != nil && !*c.LowerCase
	if len(c.Pad) == 0 {
		return nil
	}
	var token struct{ Content string }
	if json.Unmarshal(c.Pad, &s.padToken) != nil {
		if err := json.Unmarshal(c.Pad, &token); err != nil {
			return fmt.Errorf("pad_token: %w", err)
		}
		s.padToken = token.Content
	}
	return nil
}

// limit returns the token limit for a text.
func (s *settings) limit(wanted int) (int, error) {
	if wanted > 0 && s.positions > 0 && wanted > s.positions {
		return 0, fmt.Errorf("%d tokens exceed the model's %d positions", wanted, s.positions)
	}
	limit := cmp.Or(wanted, s.maxTokens)
	if limit == 0 || s.positions > 0 && limit > s.positions {
		limit = s.positions
	}
	if limit == 0 {
		return 0, fmt.Errorf("no file gives the model's token limit; set MaxTokens")
	}
	return limit, nil
}

// isTower reports whether texts and pictures share a vector space.
func (s *settings) isTower() bool { return towerPositions[s.kind] > 0 }
