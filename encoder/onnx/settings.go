package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/bert"
)

// settings holds what a folder's files say about how to use its model.
type settings struct {
	kind      string // config.json's model_type
	positions int    // the model's positions; 0 if unknown
	skipped   int    // positions before that of the first token
	padID     *int32
	padToken  string
	cased     bool // the tokenizer keeps capitals

	architecture bert.Config

	poolingFolder string // named in modules.json; empty without pooling
	pooling       string // empty if unknown
	unapplied     string // a module after the pooling that is not supported
	maxTokens     int    // 0 if unknown
	prefixes      encoder.Prefixes
}

// settings reads the settings of a folder.
func (f folder) settings() (*settings, error) {
	s := &settings{poolingFolder: "1_Pooling"}
	for _, file := range []struct {
		name string
		read func([]byte) error
	}{
		{"config.json", s.readConfig},
		{"tokenizer_config.json", s.readTokenizer},
		{"sentence_bert_config.json", s.readSentenceBERT},
		{"config_sentence_transformers.json", s.readPrompts},
		{"modules.json", s.readModules},
	} {
		found, err := f.readIfPresent(file.name, file.read)
		if err != nil {
			return nil, err
		}
		if !found && file.name == "config.json" {
			return nil, errors.New("config.json is missing; get it from the model's repository")
		}
	}
	if s.poolingFolder == "" {
		return s, nil
	}
	_, err := f.readIfPresent(path.Join(s.poolingFolder, "config.json"), s.readPooling)
	return s, err
}

// readIfPresent reads a file if it exists.
func (f folder) readIfPresent(name string, read func([]byte) error) (found bool, err error) {
	if name = f.find(name); name == "" {
		return false, nil
	}
	data, err := os.ReadFile(filepath.Join(string(f), name))
	if err == nil {
		err = read(data)
	}
	if err != nil {
		return false, fmt.Errorf("reading %s: %w", name, err)
	}
	return true, nil
}

// readModules reads modules.json, which names the folder of the pooling, if any.
func (s *settings) readModules(data []byte) error {
	var modules []struct {
		Path, Type string
	}
	if err := json.Unmarshal(data, &modules); err != nil {
		return err
	}
	s.poolingFolder = ""
	for _, m := range modules {
		// The types are Python classes: sentence_transformers.models.Pooling.
		switch kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind {
		case "Transformer", "Normalize":
		case "Pooling":
			if m.Path != "" && !filepath.IsLocal(filepath.FromSlash(m.Path)) {
				return fmt.Errorf("the pooling folder %q is outside the model's folder", m.Path)
			}
			s.poolingFolder = m.Path
		default:
			s.unapplied = kind
		}
	}
	return nil
}

// readPooling reads 1_Pooling/config.json, in the format with flags or, since
// sentence-transformers 6, with a name.
func (s *settings) readPooling(data []byte) error {
	var c struct {
		Mode          json.RawMessage `json:"pooling_mode"`
		IncludePrompt *bool           `json:"include_prompt"`
	}
	var flags map[string]any
	if err := json.Unmarshal(data, &flags); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	if c.IncludePrompt != nil && !*c.IncludePrompt {
		return fmt.Errorf("include_prompt is false: pooling without the prefix is not supported")
	}
	var modes []string
	if len(c.Mode) > 0 && string(c.Mode) != "null" {
		var mode string
		if err := json.Unmarshal(c.Mode, &mode); err != nil {
			return fmt.Errorf("pooling_mode: %w", err)
		}
		modes = append(modes, mode)
	}
	for name, value := range flags {
		if mode, is := strings.CutPrefix(name, "pooling_mode_"); is && value == true {
			modes = append(modes, mode)
		}
	}
	slices.Sort(modes)
	names := map[string]string{
		"mean_tokens": "mean", "cls_token": "cls", "mean": "mean", "cls": "cls",
	}
	if len(modes) != 1 || names[modes[0]] == "" {
		return fmt.Errorf("pooling by %s is not supported; use mean or cls", strings.Join(modes, " and "))
	}
	s.pooling = names[modes[0]]
	return nil
}

func (s *settings) readSentenceBERT(data []byte) error {
	var c struct {
		MaxSeqLength *int `json:"max_seq_length"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	if c.MaxSeqLength != nil {
		if *c.MaxSeqLength < 1 {
			return fmt.Errorf("max_seq_length is %d, want at least 1", *c.MaxSeqLength)
		}
		s.maxTokens = *c.MaxSeqLength
	}
	return nil
}

// readPrompts reads the prefixes. Prompts that are missing get the default, as in
// sentence-transformers; document and passage stand in for each other.
func (s *settings) readPrompts(data []byte) error {
	var c struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	otherwise := ""
	if c.Default != nil && *c.Default != "" {
		prompt, ok := c.Prompts[*c.Default]
		if !ok {
			return fmt.Errorf("default_prompt_name is %q, but prompts has no such name", *c.Default)
		}
		otherwise = prompt
	}
	first := func(names ...string) string {
		for _, name := range names {
			if prompt, ok := c.Prompts[name]; ok {
				return prompt
			}
		}
		return otherwise
	}
	s.prefixes = encoder.Prefixes{
		Query:    first("query"),
		Document: first("document", "passage"),
		Passage:  first("passage", "document"),
	}
	return nil
}
