package tokenizer

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// small returns a file with one part replaced.
func small(key, value string) []byte {
	parts := map[string]json.RawMessage{
		"version": json.RawMessage(`"1.0"`),
		"model":   json.RawMessage(`{"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "##b": 2}}`),
	}
	parts[key] = json.RawMessage(value)
	file, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	return file
}

// Read rejects unsupported components and names them.
func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ key, value, want string }{
		{"version", `"2.0"`, `version "2.0"`},
		{"version", `3`, "cannot unmarshal"},
		{"model", `null`, "the model is missing"},
		{"model", `{"vocab": {}}`, "the model is missing or has no type"},
		{"model", `{"type": "WordLevel", "vocab": {"a": 0}}`, "model WordLevel: not supported"},
		{"model", `{"type": "WordPiece", "vocab": {"a": 0}}`, `model WordPiece: its unk_token "[UNK]"`},
		{"model", `{"type": "WordPiece", "vocab": {}}`, "vocabulary is empty"},
		{"model", `{"type": "WordPiece", "vocab": {"[UNK]": -1}}`, `"[UNK]" has the id -1`},
		{"model", `{"type": "WordPiece", "vocab": {"[UNK]": 5000000000}}`, "cannot unmarshal"},
		{"model", `{"type": "WordPiece", "vocab": {"[UNK]": 0}, "novelty": 1}`, `unknown field "novelty"`},
		{"model", `{"type": "BPE", "vocab": {"a": 0}, "merges": [], "dropout": 0.1}`, "dropout 0.1"},
		{"model", `{"type": "BPE", "vocab": {"a": 0}, "merges": ["a a"]}`, `"aa" is not in the vocabulary`},
		{"model", `{"type": "BPE", "vocab": {"a": 0}, "merges": ["a a a"]}`, "not two tokens"},
		{"model", `{"type": "BPE", "vocab": {"a": 0}, "merges": [["a"]]}`, "a merge of 1 tokens"},
		{"model", `{"type": "BPE", "vocab": {"a": 0}, "merges": [], "unk_token": "u"}`, `unk_token "u"`},
		{"model", `{"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"], "continuing_subword_prefix": "##"}`, "continuing_subword_prefix and ignore_merges: not supported"},
		{"model", `{"type": "Unigram", "vocab": [["a", 0]]}`, "needs an unk_id"},
		{"model", `{"type": "Unigram", "unk_id": 1, "vocab": [["a", 0]]}`, "needs an unk_id"},
		{"model", `{"type": "Unigram", "unk_id": 0, "vocab": [["", 0]]}`, "piece 0 is empty"},
		{"model", `{"type": "Unigram", "unk_id": 0, "vocab": [["a"]]}`, "a piece has 1 parts"},
		{"normalizer", `{"type": "Nmt"}`, "normalizer Nmt: not supported"},
		{"normalizer", `{"type": "Lowercase", "locale": "tr"}`, `normalizer Lowercase: json: unknown field "locale"`},
		{"normalizer", `{"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "ByteLevel"}]}`, "normalizer ByteLevel: not supported"},
		{"normalizer", `{"type": "Sequence"}`, "normalizers of a Sequence"},
		{"normalizer", `{"type": "Precompiled", "precompiled_charsmap": "!"}`, "precompiled_charsmap"},
		{"normalizer", `{"type": "Precompiled", "precompiled_charsmap": "////fwAA"}`, "damaged"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "\\d+"}, "content": ""}`, "invalid escape sequence: `\\d`"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "a(?=b)"}, "content": ""}`, "not supported"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "[a[b]]"}, "content": ""}`, "[a[: not supported"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "[]a]"}, "content": ""}`, "[]: not supported"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "^a"}, "content": ""}`, "more than literals"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "a.b"}, "content": ""}`, "more than literals"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "a*"}, "content": ""}`, "matches nothing"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "a{,3}b"}, "content": ""}`, "{,: not supported"},
		{"normalizer", `{"type": "Replace", "pattern": {"Regex": "(a"}, "content": ""}`, "missing closing )"},
		{"normalizer", `{"type": "Replace", "pattern": {"String": ""}, "content": "x"}`, "neither a string"},
		{"normalizer", `{"type": "Replace", "content": "x"}`, "it is missing"},
		{"pre_tokenizer", `{"type": "UnicodeScripts"}`, "pre-tokenizer UnicodeScripts: not supported"},
		{"pre_tokenizer", `{"type": "Split", "pattern": {"String": "a"}, "behavior": "Contiguous", "invert": false}`, `behavior "Contiguous"`},
		{"normalizer", `{"type": "StripAccents"}`, "normalizer StripAccents: not supported"},
		{"pre_tokenizer", `{"type": "Metaspace", "replacement": ""}`, "want one character"},
		{"pre_tokenizer", `{"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"}`, `prepend_scheme "last"`},
		{"pre_tokenizer", `{"type": "Metaspace", "replacement": "_", "add_prefix_space": false}`, "add_prefix_space is false"},
		{"pre_tokenizer", `{"type": "Metaspace", "replacement": "_", "prepend_scheme": "first"}`, `prepend_scheme "first": not supported`},
		{"post_processor", `{"type": "Novel"}`, "post-processor Novel: not supported"},
		{"post_processor", `{"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}`, "the text 0 times"},
		{"post_processor", `{"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x", "type_id": 0}}]}`, `the token "x"`},
		{"post_processor", `{"type": "BertProcessing", "sep": ["[SEP]", -2], "cls": ["[CLS]", 1]}`, "id -2"},
		{"post_processor", `{"type": "BertProcessing", "sep": ["[SEP]", "x"], "cls": ["[CLS]", 1]}`, "sep: "},
		{"added_tokens", `[{"id": 7, "content": "x"}]`, `"x" has the id 7, want unique ids and 3`},
		{"added_tokens", `[{"id": 3, "content": "x"}, {"id": 3, "content": "x"}]`, `"x" has the id 3`},
		{"added_tokens", `[{"id": 3, "content": ""}]`, "is empty"},
	} {
		if _, err := Read(small(c.key, c.value)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: got error %v, want %q", c.key, c.value, err, c.want)
		}
	}
	for _, file := range []string{"", "[]", "{", "null", `"x"`} {
		if _, err := Read([]byte(file)); err == nil {
			t.Errorf("%q was accepted", file)
		}
	}
}

// Old files have no type, and write merges as strings.
func TestReadOldModels(t *testing.T) {
	for _, c := range []struct {
		model string
		want  []int32
	}{
		{`{"vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]}`, []int32{2}},
		{`{"vocab": {"[UNK]": 0, "a": 1, "##b": 2}, "max_input_chars_per_word": 9}`, []int32{1, 2}},
		{`{"vocab": [["u", 0], ["a", -1], ["b", -1]], "unk_id": 0}`, []int32{1, 2}},
	} {
		tokenizer, err := Read(small("model", c.model))
		if err != nil {
			t.Errorf("%s: got error %v", c.model, err)
			continue
		}
		if got, _ := tokenizer.Encode("ab", 0); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.model, got, c.want)
		}
	}
}

func TestScoredPiece(t *testing.T) {
	for raw, want := range map[string]scoredPiece{
		`["▁the",-3.5]`:         {"▁the", -3.5},
		`[ "▁the" , -3.5e0 ]`:   {"▁the", -3.5},
		`["\u2581th\u0065",-3]`: {"▁the", -3},
		`["a\"b",0]`:            {`a"b`, 0},
		`["\\",1]`:              {`\`, 1},
		`["\",",1]`:             {`",`, 1},
		`["a,b", 2 ]`:           {"a,b", 2},
	} {
		var got scoredPiece
		if err := json.Unmarshal([]byte(raw), &got); err != nil || got != want {
			t.Errorf("%s: got %v, %v", raw, got, err)
		}
	}
	for _, raw := range []string{`["a"]`, `["a",1,2]`, `["a",[1]]`, `["a","1"]`, `[1,"a"]`, `{}`} {
		var got scoredPiece
		if err := json.Unmarshal([]byte(raw), &got); err == nil {
			t.Errorf("%s was accepted as %v", raw, got)
		}
	}
}

// Expressions that mean the same in Go and the reference are accepted.
func TestPatterns(t *testing.T) {
	for expr, c := range map[string]struct{ text, want string }{
		` {2,}`:        {"a  b c   d", "a_b c_d"},
		`\s+`:          {" a\u00a0\u3000b\t", "_a_b_"},
		`[!-/\[\]]`:    {"a!b[c]d", "a_b_c_d"},
		`\p{Sc}|\.\.+`: {"5€ a.b...", "5_ a.b_"},
		`(ab|b)+c?`:    {"abbc x", "_ x"},
		`[^a-z\n]`:     {"aB1\n", "a__\n"},
	} {
		raw, err := json.Marshal(map[string]string{"Regex": expr})
		if err != nil {
			t.Fatal(err)
		}
		p, err := readPattern(raw)
		if err != nil {
			t.Errorf("%s: got error %v", expr, err)
			continue
		}
		got := replace{p, "_"}.normalize(nil, []byte(c.text), nil)
		if string(got) != c.want {
			t.Errorf("%s on %q: got %q, want %q", expr, c.text, got, c.want)
		}
	}
}
