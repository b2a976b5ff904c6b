package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

var errUnsupported = errors.New("not supported; use a model whose tokenizer does not need it, or report it")

// Read parses a tokenizer.json. It ignores the sections on truncation, padding and decoding.
func Read(file []byte) (*Tokenizer, error) {
	t, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("reading a tokenizer.json: %w", err)
	}
	return t, nil
}

func read(file []byte) (*Tokenizer, error) {
	var f struct {
		Version       string
		AddedTokens   []addedToken    `json:"added_tokens"`
		Normalizer    json.RawMessage `json:"normalizer"`
		PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
		PostProcessor json.RawMessage `json:"post_processor"`
		Model         json.RawMessage `json:"model"`
	}
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, err
	}
	if f.Version != "1.0" && f.Version != "" {
		return nil, fmt.Errorf("unknown version %q, want 1.0", f.Version)
	}
	t := &Tokenizer{}
	var err error
	if t.normalizers, err = readNormalizers(f.Normalizer); err != nil {
		return nil, err
	}
	if t.splitters, err = readSplitters(f.PreTokenizer); err != nil {
		return nil, err
	}
	if t.model, err = readModel(f.Model); err != nil {
		return nil, err
	}
	if t.before, t.after, err = readTemplate(f.PostProcessor); err != nil {
		return nil, err
	}
	if err := t.setAdded(f.AddedTokens); err != nil {
		return nil, fmt.Errorf("added tokens: %w", err)
	}
	return t, nil
}

func readModel(raw json.RawMessage) (m model, err error) {
	kind, err := kindOf(raw)
	if err != nil {
		return nil, err
	}
	if kind == "" {
		// Old files do not name the type.
		var f struct {
			Merges json.RawMessage
			UnkID  json.RawMessage `json:"unk_id"`
			Max    json.RawMessage `json:"max_input_chars_per_word"`
		}
		if err := json.Unmarshal(raw, &f); raw != nil && err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
		switch {
		case f.Merges != nil:
			kind = "BPE"
		case f.Max != nil:
			kind = "WordPiece"
		case f.UnkID != nil:
			kind = "Unigram"
		default:
			return nil, errors.New("the model is missing or has no type")
		}
	}
	switch kind {
	case "WordPiece":
		m, err = readWordPiece(raw)
	case "BPE":
		m, err = readBPE(raw)
	case "Unigram":
		m, err = readUnigram(raw)
	default:
		err = errUnsupported
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", kind, err)
	}
	return m, nil
}

// kindOf returns the type of a component, or an empty string without a component.
func kindOf(raw json.RawMessage) (string, error) {
	if raw == nil || string(raw) == "null" {
		return "", nil
	}
	var f struct{ Type string }
	if err := json.Unmarshal(raw, &f); err != nil {
		return "", err
	}
	return f.Type, nil
}

// decode decodes the fields of a component and rejects unknown ones: they may change what
// the component does.
func decode(raw json.RawMessage, fields any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(fields)
	if errors.Is(err, io.EOF) {
		return errors.New("it is missing")
	}
	return err
}

// readSequence reads a sequence of components.
func readSequence[T any](raw json.RawMessage, name string, read func(json.RawMessage) ([]T, error)) (all []T, err error) {
	var f map[string]json.RawMessage
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, err
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(f[name], &parts); err != nil {
		return nil, fmt.Errorf("the %s of a Sequence: %w", name, err)
	}
	for _, p := range parts {
		one, err := read(p)
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

// checkIDs rejects ids out of range.
func checkIDs(vocabulary map[string]int32) error {
	if len(vocabulary) == 0 {
		return errors.New("the vocabulary is empty")
	}
	for token, id := range vocabulary {
		if id < 0 {
			return fmt.Errorf("%q has the id %d, which is out of range", token, id)
		}
	}
	return nil
}
