package passage

import "strings"

// unit is a text that is not split further: a sentence, a row, or a piece of one that is
// too long.
type unit struct {
	text      string
	cost      int32 // in tokens
	penalty   int32 // for starting a passage here
	separator separator
	place     Place
}

// separator precedes a unit, unless it starts a passage.
type separator uint8

const (
	nothing separator = iota
	within            // inside a word; its parts are never in the same passage
	space
	lineBreak
	emptyLine
)

var separators = [...]string{nothing: "", within: "", space: " ", lineBreak: "\n", emptyLine: "\n\n"}

// Penalties for starting a passage, where each further passage costs perPassage. A passage
// shorter than the minimum costs up to tooShort.
const (
	perPassage   = 100
	atHeading    = -300 // the start of a section is the best place
	atBlock      = 0
	atSentence   = 600
	atRow        = 1200 // row of a list or code that would fit
	atLongRow    = 400  // row of one that would not
	atClause     = 3000
	afterColon   = 800 // the next block belongs to the announcement
	afterHeading = 10000
	tooShort     = 4000
)

// cutter splits documents into passages.
type cutter struct {
	min, max int // tokens
	count    func(string) int
}

func (c *cutter) units(blocks []Block) []unit {
	var units []unit
	var above outline
	var costs []int // cost of each row
	previous := Prose
	for i, b := range blocks {
		whole := 0
		costs = costs[:0]
		for _, row := range b.Rows {
			cost := 0
			if b.Kind != Prose { // prose is counted by sentence
				cost = c.measure(row)
			}
			whole += cost
			costs = append(costs, cost)
		}
		if b.Kind == Heading {
			above.enter(b)
		}
		place := Place{above.path, b.Page, b.Line}
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
			from := len(units)
			units = c.row(units, row, b.Kind, costs[j], separator, penalty)
			if j > 0 && place.Line > 0 {
				place.Line++
			}
			for ; from < len(units); from++ {
				units[from].place = place
			}
		}
		previous = b.Kind
	}
	return units
}

// row adds the units of a row, the first with the given separator and penalty. The cost is
// not used for prose.
func (c *cutter) row(units []unit, row string, kind Kind, cost int, s separator, penalty int32) []unit {
	if kind != Prose && cost <= c.max {
		return append(units, unit{text: row, cost: int32(cost), penalty: penalty, separator: s})
	}
	parts := []string{row}
	if kind != Heading {
		parts = sentences(row)
	}
	end := 0 // end of the previous part
	for _, part := range parts {
		if end > 0 {
			s, penalty = nothing, atSentence
			for row[end] == ' ' {
				s = space
				end++
			}
		}
		end += len(part)
		if cost := c.measure(part); cost <= c.max {
			units = append(units, unit{text: part, cost: int32(cost), penalty: penalty, separator: s})
		} else {
			units = c.clauses(units, part, max(1, c.max/4-1), s, penalty)
		}
	}
	return units
}

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

// cut combines units into passages: of all ways within the maximum length, the one with the
// lowest penalty.
func (c *cutter) cut(units []unit) []Part {
	n := len(units)
	if n == 0 {
		return nil
	}
	total, whole := 0, true
	for _, u := range units {
		total += int(u.cost)
		whole = whole && u.separator != within
	}
	if whole && total <= c.max {
		return []Part{{join(units), units[0].place}}
	}
	// least[i] is the lowest penalty for the first i units, whose last passage starts at
	// from[i].
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
			if units[j].separator == within {
				break
			}
		}
	}
	count := 0
	for i := n; i > 0; i = int(from[i]) {
		count++
	}
	parts := make([]Part, count)
	for i := n; i > 0; i = int(from[i]) {
		count--
		parts[count] = Part{join(units[from[i]:i]), units[from[i]].place}
	}
	return parts
}

// short returns the penalty for a short passage.
func (c *cutter) short(cost int) int64 {
	if cost >= c.min {
		return 0
	}
	missing := float64(c.min-cost) / float64(c.min)
	return int64(tooShort * missing * missing)
}
