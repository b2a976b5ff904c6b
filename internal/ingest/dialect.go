package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// dialect describes the syntax of a table.
type dialect struct {
	comma  rune
	quotes bool // whether quotes delimit fields
}

// dialectOf guesses the dialect from the first rows. It picks the delimiter that gives, in
// this order of importance, header columns with common names, rows as long as the header, and
// many columns. known reports whether a column name is common.
func dialectOf(head []byte, tabs bool, known func(string) bool) dialect {
	if i := bytes.LastIndexByte(head, '\n'); i > 0 && len(head) >= headBytes {
		head = head[:i+1] // the last row may be cut off
	}
	delimiters := []rune{',', ';', '\t', '|'}
	if tabs {
		delimiters = []rune{'\t'}
	}
	best, bestTrial := dialect{delimiters[0], true}, trial{}
	for _, comma := range delimiters {
		// Tab-separated tables have no quotes unless a quoted field appears. Other tables have
		// none if treating quotes as delimiters produces errors.
		quoted := bytes.HasPrefix(head, []byte(`"`)) || bytes.Contains(head, []byte("\t\"")) || bytes.Contains(head, []byte("\n\""))
		d := dialect{comma, comma != '\t' || quoted}
		t := try(head, d, known)
		if t.faults > 0 {
			if plain := try(head, dialect{comma, false}, known); plain.even > t.even {
				d.quotes, t = false, plain
			}
		}
		if bestTrial.worse(t) {
			best, bestTrial = d, t
		}
	}
	return best
}

// trial is the result of trying a dialect.
type trial struct {
	known   bool    // a column has a usual name
	columns int     // of the header
	even    float64 // share of rows with the same number of columns
	faults  int     // rows that have stray quotes
}

func (t trial) worse(than trial) bool {
	switch {
	case t.known != than.known:
		return than.known
	case t.even != than.even && min(t.columns, than.columns) > 1:
		return t.even < than.even
	}
	return t.columns < than.columns
}

const trialRows = 200

func try(head []byte, d dialect, known func(string) bool) trial {
	var t trial
	rows, even := 0, 0
	for r := newRowReader(bufio.NewReader(bytes.NewReader(head)), d, headBytes+1); rows+t.faults < trialRows; {
		row, _, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.faults++
			continue
		}
		if rows == 0 {
			t.columns = len(row)
			t.known = slices.ContainsFunc(row, known)
		}
		if rows++; len(row) == t.columns {
			even++
		}
	}
	t.even = float64(even) / float64(max(1, rows+t.faults))
	return t
}
