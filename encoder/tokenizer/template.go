package tokenizer

import (
	"encoding/json"
	"fmt"
)

// readTemplate returns the ids that a post-processor puts before and after a text.
func readTemplate(raw json.RawMessage) (before, after []int32, err error) {
	kind, err := kindOf(raw)
	if kind == "" || err != nil {
		return nil, nil, err
	}
	switch kind {
	case "TemplateProcessing":
		before, after, err = readTemplateProcessing(raw)
	case "BertProcessing", "RobertaProcessing":
		before, after, err = readPairProcessing(raw)
	case "ByteLevel": // only affects offsets
	case "Sequence":
		var f struct {
			Type       string
			Processors []json.RawMessage
		}
		err = decode(raw, &f)
		for _, p := range f.Processors {
			b, a, err := readTemplate(p)
			if err != nil {
				return nil, nil, err
			}
			before, after = append(b, before...), append(after, a...)
		}
	default:
		err = errUnsupported
	}
	for _, id := range append(before[:len(before):len(before)], after...) {
		if err == nil && id < 0 {
			err = fmt.Errorf("a token with id %d", id)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("post-processor %s: %w", kind, err)
	}
	return before, after, nil
}

func readTemplateProcessing(raw json.RawMessage) (before, after []int32, err error) {
	type token struct {
		ID     string
		TypeID int `json:"type_id"`
	}
	var f struct {
		Type          string
		Single        []struct{ SpecialToken, Sequence *token }
		Pair          json.RawMessage // for pairs of texts, which are not supported
		SpecialTokens map[string]struct {
			ID     string
			IDs    []int32
			Tokens []string
		} `json:"special_tokens"`
	}
	if err := decode(raw, &f); err != nil {
		return nil, nil, err
	}
	texts := 0
	for _, p := range f.Single {
		switch {
		case p.Sequence != nil && p.Sequence.ID == "A":
			texts++
		case p.SpecialToken != nil:
			t, ok := f.SpecialTokens[p.SpecialToken.ID]
			if !ok {
				return nil, nil, fmt.Errorf("the token %q is not among its special_tokens", p.SpecialToken.ID)
			}
			if texts == 0 {
				before = append(before, t.IDs...)
			} else {
				after = append(after, t.IDs...)
			}
		default:
			return nil, nil, fmt.Errorf("single has a part that is neither a token nor the text: %w", errUnsupported)
		}
	}
	if texts != 1 {
		return nil, nil, fmt.Errorf("single has the text %d times: %w", texts, errUnsupported)
	}
	return before, after, nil
}

// readPairProcessing reads processors with tokens such as ["[SEP]", 102].
func readPairProcessing(raw json.RawMessage) (before, after []int32, err error) {
	var f struct {
		Type           string
		Sep, Cls       [2]json.RawMessage
		TrimOffsets    bool `json:"trim_offsets"`     // no effect on ids
		AddPrefixSpace bool `json:"add_prefix_space"` // no effect on ids
	}
	if err := decode(raw, &f); err != nil {
		return nil, nil, err
	}
	before, after = make([]int32, 1), make([]int32, 1)
	if err := json.Unmarshal(f.Cls[1], &before[0]); err != nil {
		return nil, nil, fmt.Errorf("cls: %w", err)
	}
	if err := json.Unmarshal(f.Sep[1], &after[0]); err != nil {
		return nil, nil, fmt.Errorf("sep: %w", err)
	}
	return before, after, nil
}
