package ingest

import (
	"encoding/json"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/nsfl-go/nsfl/passage"
)

// maxFrontMatter is far above real front matter, and limits the memory for parsed YAML.
const maxFrontMatter = 64 << 10

// frontKey matches the beginning of an unindented entry.
var frontKey = regexp.MustCompile(`^[^\s:#\[\]{}-][^:]*:(\s|$)`)

// frontMatter splits YAML between lines of three dashes off the beginning of a Markdown file.
// It keeps scalars and lists of scalars, with numbers and booleans as such, and drops keys
// with other values, such as nested keys. If the lines do not look like front matter, they are
// text.
func frontMatter(content string) (map[string]any, string) {
	first, rest, _ := strings.Cut(content, "\n")
	if strings.TrimRight(first, " \t\r") != "---" {
		return nil, content
	}
	var entries [][]string // lines of each entry
	for rest != "" && len(content)-len(rest) < maxFrontMatter {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		line = strings.TrimRight(line, " \t\r")
		last := len(entries) - 1
		switch {
		case line == "---" || line == "...":
			return fieldsOf(entries), rest
		case frontKey.MatchString(line):
			entries = append(entries, []string{line})
		case line == "" || line[0] == '#' || last >= 0 && (strings.ContainsAny(line[:1], " \t") || strings.HasPrefix(line, "- ")):
			if last >= 0 {
				entries[last] = append(entries[last], line)
			}
		default:
			return nil, content
		}
	}
	return nil, content
}

// fieldsOf parses each entry separately, so an invalid entry does not affect the others.
func fieldsOf(entries [][]string) map[string]any {
	fields := map[string]any{}
	for _, lines := range entries {
		var document yaml.Node
		if yaml.Unmarshal([]byte(strings.Join(lines, "\n")), &document) != nil {
			// Unquoted values with a colon are common, although YAML requires quotes.
			if key, value, _ := strings.Cut(lines[0], ": "); len(lines) == 1 && strings.Contains(value, ": ") && !strings.ContainsAny(value[:1], "[{&*!|>") {
				fields[key] = passage.OneLine(value)
			}
			continue
		}
		if mapping := document.Content[0]; mapping.Kind == yaml.MappingNode {
			if v := fieldOf(mapping.Content[1]); v != nil {
				fields[mapping.Content[0].Value] = v
			}
		}
	}
	return fields
}

// fieldOf returns a scalar or a list of scalars, or nil for null, empty and other values. It
// ignores aliases, which could expand without limit.
func fieldOf(n *yaml.Node) any {
	switch tag := n.ShortTag(); {
	case n.Kind == yaml.SequenceNode:
		var list []any
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return nil
			}
			if v := fieldOf(item); v != nil {
				list = append(list, v)
			}
		}
		if list == nil {
			return nil
		}
		return list
	case n.Kind != yaml.ScalarNode || tag == "!!null":
		return nil
	case tag == "!!bool":
		return strings.EqualFold(n.Value, "true")
	case (tag == "!!int" || tag == "!!float") && json.Valid([]byte(n.Value)): // 007 is not
		return json.Number(n.Value)
	}
	return passage.OneLine(n.Value)
}
