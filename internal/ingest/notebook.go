package ingest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// readNotebook reads the cells of a Jupyter notebook: text as Markdown, code, and the
// beginning of its output.
func readNotebook(b *budget, content []byte) (draft, error) {
	const takes = 4 // parts: a cell or an output has much more than its text
	if !b.spend(takes*(bytes.Count(content, []byte("{"))+bytes.Count(content, []byte("null"))), 0) {
		return draft{}, b.err
	}
	var n notebook
	if err := json.Unmarshal(content, &n); err != nil {
		return draft{}, unusable(Malformed, "it is not a notebook: %v", err)
	}
	if n.Cells == nil {
		return draft{}, unusable(Malformed, "it is not a notebook: it has no cells")
	}
	var blocks []passage.Block
	for _, c := range n.Cells {
		switch c.Type {
		case "markdown":
			inner, err := markdownBlocks(b, string(c.Source))
			if err != nil {
				return draft{}, err
			}
			blocks = append(blocks, inner...)
		case "code":
			blocks = append(blocks, b.code(string(c.Source))...)
			for _, o := range c.Outputs {
				const longest = 1000 // bytes of the output of a program
				blocks = append(blocks, b.code(clipped(string(o.Text+o.Data.Plain), longest))...)
			}
		default:
			blocks = append(blocks, b.blocks(string(c.Source))...)
		}
	}
	for i := range blocks { // line numbers of a cell are not those of the file
		blocks[i].Line = 0
	}
	d := withoutTitle("", blocks, false)
	if b.err != nil {
		return d, b.err
	}
	if language := n.language(); language != "" {
		d.metadata = map[string]any{"language": language}
	}
	return d, nil
}

type notebook struct {
	Cells    []cell
	Metadata struct {
		Kernel   struct{ Language, Name string } `json:"kernelspec"`
		Language struct{ Name string }           `json:"language_info"`
	}
}

func (n notebook) language() string {
	m := &n.Metadata
	return strings.ToLower(cmp.Or(passage.OneLine(m.Kernel.Language), passage.OneLine(m.Language.Name), passage.OneLine(m.Kernel.Name)))
}

type cell struct {
	Type    string `json:"cell_type"`
	Source  lines
	Outputs []struct {
		Text lines
		Data struct {
			Plain lines `json:"text/plain"`
		}
	}
}

// lines is a text that is stored as a string or as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*l = lines(one)
		return nil
	}
	var many []string
	if bytes.Count(raw, []byte(",")) < maxTextParts && json.Unmarshal(raw, &many) == nil {
		*l = lines(strings.Join(many, ""))
	}
	return nil // not text
}
