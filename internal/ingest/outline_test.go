package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nsfl-go/nsfl/passage"
)

// outline writes one line for each block: its position, its kind and its rows.
func outline(blocks []passage.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		if block.Page > 0 {
			fmt.Fprintf(&b, "p%d ", block.Page)
		}
		if block.Line > 0 {
			fmt.Fprintf(&b, "%d ", block.Line)
		}
		switch block.Kind {
		case passage.Heading:
			b.WriteString(strings.Repeat("#", max(1, block.Level)) + " ")
		case passage.Rows:
			b.WriteString("| ")
		case passage.Prose:
		}
		b.WriteString(strings.Join(block.Rows, " / ") + "\n")
	}
	return b.String()
}

// checkOutline compares a draft, its title first, with an expected outline.
func checkOutline(t *testing.T, d draft, err error, want string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got := d.title + "\n" + outline(d.blocks); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
