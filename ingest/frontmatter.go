package ingest

import (
	"encoding/json"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// frontMatter splits YAML between lines of three dashes off the beginning of a
// Markdown file. Of YAML it knows what people write there: "key: value" at the
// margin, with or without quotes, where the value may be a list in brackets, a
// list of "- item" lines, or text indented after | or >. Numbers and truth values
// are kept as such. Keys that hold anything else, such as other keys, are left
// out. If the lines are not of this kind at all, they are text.
func frontMatter(content string) (map[string]any, string) {
	header, body, ok := cutFrontMatter(content)
	if !ok {
		return nil, content
	}
	metadata := map[string]any{}
	for i := 0; i < len(header); {
		key, value, _ := cutKey(header[i])
		below := i + 1
		for below < len(header) && !isKey(header[below]) {
			below++
		}
		if key != "" {
			if v := yamlValue(value, header[i+1:below]); v != nil {
				metadata[key] = v
			}
		}
		i = below
	}
	return metadata, body
}

// cutFrontMatter finds the lines of the front matter and what follows them.
func cutFrontMatter(content string) (header []string, body string, ok bool) {
	first, rest, found := strings.Cut(content, "\n")
	if !found || strings.TrimRight(first, " \t\r") != "---" {
		return nil, "", false
	}
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t\r")
		if line == "---" || line == "..." {
			return header, after, true
		}
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "- ")
		if line != "" && line[0] != '#' && !isKey(line) && (!indented || len(header) == 0) {
			return nil, "", false
		}
		header = append(header, line)
		rest = after
	}
	return nil, "", false
}

func isKey(line string) bool {
	_, _, ok := cutKey(line)
	return ok
}

// cutKey splits "key: value".
func cutKey(line string) (key, value string, ok bool) {
	key, value, found := strings.Cut(line, ":")
	if !found || key == "" || strings.ContainsAny(key[:1], " \t-#[]{}") || value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	return strings.Trim(key, `"' `), strings.TrimSpace(value), true
}

// yamlValue is the value of a key, nil where it is not understood or null. below
// are the lines up to the next key.
func yamlValue(value string, below []string) any {
	switch {
	case value == "|" || value == ">" || value == "|-" || value == ">-":
		return passage.OneLine(strings.Join(below, " "))
	case value == "":
		return yamlList(below)
	case strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]"):
		var list []any
		for _, item := range splitList(value[1 : len(value)-1]) {
			if v := yamlScalar(item); v != nil {
				list = append(list, v)
			}
		}
		if list == nil {
			return nil
		}
		return list
	case strings.ContainsAny(value[:1], "[{&*!|>"):
		return nil
	}
	for _, line := range below { // a value that goes on
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			value += " " + line
		}
	}
	return yamlScalar(value)
}

// yamlList reads "- item" lines; nil where there is something else.
func yamlList(below []string) any {
	var list []any
	for _, line := range below {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		item, ok := strings.CutPrefix(line, "- ")
		if !ok || isKey(item) {
			return nil
		}
		if v := yamlScalar(item); v != nil {
			list = append(list, v)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// yamlScalar reads one value: a number, a truth value, or a string.
func yamlScalar(s string) any {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		inner := s[1 : len(s)-1]
		var unescaped string
		if s[0] == '"' && json.Unmarshal([]byte(s), &unescaped) == nil {
			return passage.OneLine(unescaped)
		}
		return passage.OneLine(strings.ReplaceAll(inner, "''", "'"))
	}
	if i := strings.Index(s, " #"); i >= 0 { // a comment
		s = strings.TrimSpace(s[:i])
	}
	switch s {
	case "", "~", "null":
		return nil
	case "true", "false":
		return s == "true"
	}
	if number := json.Number(s); json.Valid([]byte(s)) && strings.Trim(s, "+-0123456789.eE") == "" {
		return number
	}
	return passage.OneLine(s)
}

// splitList splits at commas that are not within quotes.
func splitList(s string) []string {
	var items []string
	start, quote := 0, byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if strings.TrimSpace(s[start:i]) == "" {
				quote = c
			}
		case c == ',':
			items = append(items, s[start:i])
			start = i + 1
		}
	}
	return append(items, s[start:])
}
