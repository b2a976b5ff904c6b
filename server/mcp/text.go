package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// clip is the beginning of a text as one line of at most n bytes.
func clip(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= n {
		return text
	}
	return strings.TrimSpace(text[:boundary(text, n)]) + "…"
}

// boundary is the last place at or before n where a character begins.
func boundary(text string, n int) int {
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return min(n, len(text))
}

// round keeps four digits, as many as tell anything.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// object reads metadata; nil where there are none.
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

// decode reads JSON; in what may be anything, digits stay as they are.
func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// compact is a value as JSON in one line.
func compact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// understood says what plain language was read as.
func understood(b *strings.Builder, told []string) {
	for i, line := range told {
		if i == 0 {
			line = "read as plain language: " + line
		}
		fmt.Fprintf(b, "note: %s\n", line)
	}
}

// incomplete says which part of a collection an answer is without.
func incomplete(b *strings.Builder, degraded []string) {
	for _, d := range degraded {
		fmt.Fprintf(b, "incomplete: %s\n", d)
	}
}

// count is a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
