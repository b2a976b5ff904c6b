package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// understood writes the formula of a query in plain language.
func understood(b *strings.Builder, told []string) {
	for i, line := range told {
		if i == 0 {
			line = "parsed as plain language: " + line
		}
		fmt.Fprintf(b, "note: %s\n", line)
	}
}

// incomplete writes the parts of the store that did not answer.
func incomplete(b *strings.Builder, degraded []string) {
	for _, d := range degraded {
		fmt.Fprintf(b, "incomplete: %s\n", d)
	}
}

// count returns a number of things, in the plural if needed.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
