package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

// Any file is read or rejected, and a tokenizer that was read encodes any text.
func FuzzRead(f *testing.F) {
	for _, part := range [][2]string{
		{"model", `{"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "u": 3, "<0x0A>": 9}, "merges": ["a b"], "unk_token": "u", "byte_fallback": true, "end_of_word_suffix": "b"}`},
		{"model", `{"type": "Unigram", "unk_id": 0, "vocab": [["u", 0], ["ab", -1e300], ["a", 1e308]], "byte_fallback": true}`},
		{"normalizer", `{"type": "Precompiled", "precompiled_charsmap": "CAAAAAAEAAABAAAAYWIA"}`},
		{"normalizer", `{"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Strip", "strip_left": true}, {"type": "Replace", "pattern": {"Regex": "[a-c]+"}, "content": "xy"}]}`},
		{"pre_tokenizer", `{"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext", "invert": true}`},
		{"pre_tokenizer", `{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "_"}]}`},
		{"pre_tokenizer", `{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true}`},
		{"normalizer", `{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}`},
		{"post_processor", `{"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}], "special_tokens": {"x": {"id": "x", "ids": [1, 2], "tokens": ["a", "b"]}}}`},
		{"post_processor", `{"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]}`},
		{"added_tokens", `[{"id": 3, "content": "x", "lstrip": true, "rstrip": true, "single_word": true, "normalized": true}]`},
	} {
		f.Add(small(part[0], part[1]))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		tokenizer, err := Read(file)
		if err != nil {
			return
		}
		for _, text := range []string{"", "a dog's 12 bones", " x  ab\ncé\u0301 中文\xff x ab ", "[UNK]<s>"} {
			ids, _ := tokenizer.Encode(text, 0)
			tokenizer.checkCut(t, text, ids, 3)
		}
	})
}

// Any text gets ids of the vocabulary; a limit truncates them and changes nothing else.
func FuzzEncode(f *testing.F) {
	for _, text := range []string{
		"", "a dog", "[SEP] [MASK", "naïve 中文", "\xff\u200b\u0301", strings.Repeat("x", 101), "it's  <mask>\r\n <s>", "e" + strings.Repeat("\u0301", 40),
		"ﬁ ½ ™\u0301 か\u3099 \u1100\u1161 ▁▁ '' $$,", strings.Repeat("the fox ", 300), "a b [B] Fox dog <|endoftext|>",
	} {
		f.Add(text, uint8(5))
	}
	fixture := openFixture(f)
	most := make([]int32, len(fixture.Tokenizers))
	for i, c := range fixture.Tokenizers {
		most[i] = int32(c.model.size() + len(c.ids))
	}
	f.Fuzz(func(t *testing.T, text string, limit uint8) {
		for i, c := range fixture.Tokenizers {
			ids, cut := c.Encode(text, 0)
			if cut || slices.ContainsFunc(ids, func(id int32) bool { return id < 0 || id >= most[i] }) {
				t.Fatalf("%s: got %v, cut %t", c.Name, ids, cut)
			}
			c.checkCut(t, text, ids, int(limit)+1)
		}
	})
}
