package vectors

import (
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// table reads a parquet file. Unknown columns become metadata: numbers, texts and times, and
// lists of them.
type table struct {
	src     *source
	file    *parquet.File
	columns []*column
	skipped []string
	groups  []parquet.RowGroup // those to come
	left    int64              // rows in the present one
}

func newTable(src *source, fields Fields) (*table, error) {
	file, err := openParquet(src)
	if err != nil {
		return nil, err
	}
	t := &table{src: src, file: file}
	err = guard(func() error {
		t.groups = file.RowGroups()
		return t.choose(fields)
	})
	return t, err
}

// choose assigns a role to each column.
func (t *table) choose(fields Fields) error {
	byName, err := fields.byName()
	if err != nil {
		return err
	}
	var taken [roles]string
	var all []string
	for _, top := range t.file.Root().Columns() {
		name := top.Name()
		all = append(all, name)
		r := byName[name]
		if r == roleOther || r == roleMetadata && !top.Leaf() {
			t.addOthers(top, r)
			continue
		}
		if taken[r] != "" {
			return bad(ErrFormat, "the columns %s and %s are for the same thing; name the one to use", clip(taken[r]), clip(name))
		}
		taken[r] = name
		leaves := leavesOf(top, nil)
		if len(leaves) != 1 || !fits(r, leaves[0]) {
			return bad(ErrFormat, "the column %s is not %s; name another", clip(name), wanted[r])
		}
		t.columns = append(t.columns, newColumn(r, name, top, leaves[0]))
	}
	for _, name := range fields.given() {
		if name != "" && t.file.Root().Column(name) == nil {
			return bad(ErrFormat, "there is no column %s; there are: %s", clip(name), some(all))
		}
	}
	if len(t.columns) == 0 {
		return bad(ErrFormat, "none of its columns can be read; there are: %s", some(all))
	}
	return nil
}

var wanted = [roles]string{
	"", "text or a whole number", "text", "text", "a list of texts", "a list of lists of numbers", "a list of texts", "text", "a list of numbers",
}

func fits(r role, leaf *parquet.Column) bool {
	levels := leaf.MaxRepetitionLevel()
	switch r {
	case roleID:
		return levels == 0 && (isText(leaf) || isInteger(leaf))
	case rolePassages, rolePassagePlaces:
		return levels == 1 && isText(leaf)
	case roleVector:
		return levels == 1 && isNumber(leaf)
	case rolePassageVectors:
		return levels == 2 && isNumber(leaf)
	}
	return levels == 0 && isText(leaf)
}

// addOthers adds a column to the metadata. The fields of a group are named
// outer.inner; lists within lists are skipped.
func (t *table) addOthers(top *parquet.Column, r role) {
	leaves := leavesOf(top, nil)
	for _, leaf := range leaves {
		path := leaf.Path()
		name := strings.Join(path, ".")
		switch {
		case leaf.MaxRepetitionLevel() == 1 && len(leaves) == 1:
			name = top.Name()
		case leaf.MaxRepetitionLevel() == 0 && r == roleMetadata:
			name = strings.Join(path[1:], ".")
		}
		c := newColumn(roleOther, name, top, leaf)
		if c.json == nil || leaf.MaxRepetitionLevel() > 1 || leaf.MaxRepetitionLevel() == 1 && len(leaves) > 1 {
			t.skipped = append(t.skipped, name)
			continue
		}
		t.columns = append(t.columns, c)
	}
}

func leavesOf(c *parquet.Column, leaves []*parquet.Column) []*parquet.Column {
	if c.Leaf() {
		return append(leaves, c)
	}
	for _, child := range c.Columns() {
		leaves = leavesOf(child, leaves)
	}
	return leaves
}

func (t *table) count() (rows int64, known bool) { return t.file.NumRows(), true }

func (t *table) next() (row Row, where place, err error) {
	where.offset = -1
	ended := false
	err = guard(func() error {
		for t.left == 0 {
			if err := t.closeGroup(); err != nil {
				return err
			}
			if ended = len(t.groups) == 0; ended {
				return nil
			}
			if err := t.openGroup(); err != nil {
				return err
			}
		}
		t.left--
		for _, c := range t.columns {
			if err := c.next(); err != nil {
				return err
			}
		}
		row, err = t.assemble()
		return err
	})
	if ended && err == nil {
		err = io.EOF
	}
	return row, where, err
}

func (t *table) closeGroup() error {
	for _, c := range t.columns {
		if err := c.end(); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) openGroup() error {
	group := t.groups[0]
	t.groups = t.groups[1:]
	chunks := group.ColumnChunks()
	index := len(t.file.RowGroups()) - len(t.groups) - 1
	for _, c := range t.columns {
		check, err := newPageCheck(t.src, c.leaf, &t.file.Metadata().RowGroups[index].Columns[c.leaf.Index()].MetaData)
		if err != nil {
			return err
		}
		c.values = parquet.NewColumnChunkValueReader(checkedChunk{chunks[c.leaf.Index()], check})
	}
	if t.left = group.NumRows(); t.left < 0 {
		return bad(ErrFormat, "it has a negative number of rows; it is damaged")
	}
	return nil
}

func (t *table) assemble() (Row, error) {
	var row parts
	for _, c := range t.columns {
		var err error
		if c.role == roleOther {
			err = c.addTo(&row.meta)
		} else {
			err = row.set(c.role, c)
		}
		if err != nil {
			return Row{}, orBad(err, "the column %s", clip(c.name))
		}
	}
	return row.join()
}
