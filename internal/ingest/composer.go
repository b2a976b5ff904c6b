package ingest

import (
	"fmt"
	"strings"

	"github.com/nsfl-go/nsfl/passage"
)

// composer builds blocks from paragraphs, lists, tables and notes.
type composer struct {
	budget *budget
	blocks []passage.Block
	notes  []string

	inline strings.Builder
	cells  []string
	cell   []string // paragraphs of the current cell
	rows   []string
	tables int // open tables; a nested table is text in a cell
}

func (c *composer) write(s string) {
	if c.budget.spend(0, len(s)) {
		c.inline.WriteString(s)
	}
}

// paragraph ends the open paragraph. level is the heading level and item the list depth; 0
// means neither.
func (c *composer) paragraph(level, item int) {
	s := passage.OneLine(c.inline.String())
	c.inline.Reset()
	switch {
	case s == "" || !c.budget.spend(1, 0):
	case c.tables > 0:
		c.cell = append(c.cell, s)
	case level > 0:
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Heading, Rows: []string{s}, Level: level})
	case item > 0:
		row := strings.Repeat("  ", min(item, 5)-1) + "- " + s
		if n := len(c.blocks); n > 0 && c.blocks[n-1].Kind == passage.Rows && strings.HasPrefix(strings.TrimSpace(c.blocks[n-1].Rows[0]), "- ") {
			c.blocks[n-1].Rows = append(c.blocks[n-1].Rows, row)
			return
		}
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Rows, Rows: []string{row}})
	default:
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Prose, Rows: []string{s}})
	}
}

func (c *composer) endCell() {
	if c.tables == 1 && c.budget.spend(1, 0) {
		c.cells, c.cell = append(c.cells, strings.Join(c.cell, " ")), nil
	}
}

func (c *composer) endRow() {
	if c.tables != 1 {
		return
	}
	if row := strings.Join(c.cells, " | "); strings.Trim(row, " |") != "" {
		c.rows = append(c.rows, row)
	}
	c.cells = nil
}

func (c *composer) endTable() {
	if c.tables--; c.tables == 0 && c.rows != nil {
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Rows, Rows: c.rows})
		c.rows = nil
	}
	c.tables = max(c.tables, 0)
}

// finish adds the notes after the text.
func (c *composer) finish() []passage.Block {
	c.paragraph(0, 0)
	var rows []string
	for i, n := range c.notes {
		if n = passage.OneLine(n); n != "" {
			rows = append(rows, fmt.Sprintf("%d. %s", i+1, n))
		}
	}
	if rows != nil {
		c.blocks = append(c.blocks, passage.Block{Kind: passage.Rows, Rows: rows})
	}
	return c.blocks
}
