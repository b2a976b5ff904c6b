package passage

import "strings"

// unit is what is never cut: a sentence, a row, or a piece of one that is too
// long.
type unit struct {
	text      string
	cost      int32 // in half words
	penalty   int32 // of beginning a passage here
	separator separator
}

// separator stands before a unit, unless it begins a passage.
type separator uint8

const (
	nothing separator = iota
	space
	lineBreak
	emptyLine
)

var separators = [...]string{nothing: "", space: " ", lineBreak: "\n", emptyLine: "\n\n"}

// Penalties of beginning a passage, in hundredths of what it costs to have one
// more. A passage shorter than the least costs up to tooShort.
const (
	perPassage   = 100
	atHeading    = -300 // a new section is the best place
	atBlock      = 0
	atSentence   = 600
	atRow        = 1200 // of a list or code that would fit
	atLongRow    = 400  // of one that would not
	atClause     = 3000
	afterColon   = 800 // what is announced follows
	afterHeading = 10000
	tooShort     = 4000
)

// cutter cuts documents into passages.
type cutter struct {
	min, max int // half words
}

// units takes blocks apart.
func (c cutter) units(blocks []Block) []unit {
	var units []unit
	previous := Prose
	for i, b := range blocks {
		whole := 0
		if b.Kind == Rows {
			for _, row := range b.Rows {
				if whole += measure(row); whole > c.max {
					break
				}
			}
		}
		for j, row := range b.Rows {
			separator, penalty := emptyLine, int32(atBlock)
			switch {
			case i+j == 0:
				separator = nothing
			case j > 0 && whole > c.max:
				separator, penalty = lineBreak, atLongRow
			case j > 0:
				separator, penalty = lineBreak, atRow
			case previous == Heading:
				penalty = afterHeading
			case b.Kind == Heading:
				penalty = atHeading
			case strings.HasSuffix(units[len(units)-1].text, ":"):
				penalty = afterColon
			}
			units = c.row(units, row, b.Kind, separator, penalty)
		}
		previous = b.Kind
	}
	return units
}

// row adds the units of a row, which is preceded as the arguments say.
func (c cutter) row(units []unit, row string, kind Kind, s separator, penalty int32) []unit {
	parts := []string{row}
	if kind == Prose || kind == Rows && measure(row) > c.max {
		parts = sentences(row)
	}
	end := 0 // of the part before
	for _, part := range parts {
		if end > 0 {
			s, penalty = nothing, atSentence
			for row[end] == ' ' {
				s = space
				end++
			}
		}
		end += len(part)
		cost := measure(part)
		if cost <= c.max {
			units = append(units, unit{part, int32(cost), penalty, s})
			continue
		}
		pieces, joined := clauses(part, max(2, c.max/4))
		for i, piece := range pieces {
			if i > 0 {
				s, penalty = space, atClause
				if joined[i] {
					s = nothing
				}
			}
			units = append(units, unit{piece, int32(measure(piece)), penalty, s})
		}
	}
	return units
}

// join puts units together again.
func join(units []unit) string {
	size := 0
	for _, u := range units {
		size += len(u.text) + 2
	}
	var b strings.Builder
	b.Grow(size)
	for i, u := range units {
		if i > 0 {
			b.WriteString(separators[u.separator])
		}
		b.WriteString(u.text)
	}
	return b.String()
}

// cut makes passages of units: of all the ways to do so that keep within the
// most, the one with the least penalties.
func (c cutter) cut(units []unit) []string {
	n := len(units)
	if n == 0 {
		return nil
	}
	total := 0
	for _, u := range units {
		total += int(u.cost)
	}
	if total <= c.max {
		return []string{join(units)}
	}
	// least[i] is the least penalty of cutting the first i units, of which the
	// last passage begins at from[i].
	least, from := make([]int64, n+1), make([]int32, n+1)
	for i := 1; i <= n; i++ {
		least[i] = -1
		cost := 0
		for j := i - 1; j >= 0; j-- {
			if cost += int(units[j].cost); cost > c.max && j < i-1 {
				break
			}
			penalty := least[j] + perPassage + c.short(cost)
			if j > 0 {
				penalty += int64(units[j].penalty)
			}
			if j == i-1 || penalty < least[i] {
				least[i], from[i] = penalty, int32(j)
			}
		}
	}
	count := 0
	for i := n; i > 0; i = int(from[i]) {
		count++
	}
	passages := make([]string, count)
	for i := n; i > 0; i = int(from[i]) {
		count--
		passages[count] = join(units[from[i]:i])
	}
	return passages
}

// short is the penalty of a passage for being short.
func (c cutter) short(cost int) int64 {
	if cost >= c.min {
		return 0
	}
	missing := float64(c.min-cost) / float64(c.min)
	return int64(tooShort * missing * missing)
}
