package mcp

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"
)

// clip returns the beginning of a text as one line of at most n bytes.
func clip(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= n {
		return text
	}
	return strings.TrimSpace(text[:boundary(text, n)]) + "…"
}

// boundary returns the last offset at or before n where a character begins.
func boundary(text string, n int) int {
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return min(n, len(text))
}

// round rounds to four digits, to save tokens.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// object decodes metadata; it returns nil if there is none.
func object(raw json.RawMessage) map[string]any {
	if len(raw) == 0 {
		return nil
	}
	var m map[string]any
	if decode(raw, &m) != nil {
		return nil
	}
	return m
}

// decode decodes JSON. Numbers without a type keep all their digits.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// compact returns a value as JSON in one line.
func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // agents read year:>=2015
	if e.Encode(v) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}
