package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// layOut arranges the pieces of a page in lines. Lines stay in the order in which they
// are drawn, which is usually the reading order, including columns; if that order jumps
// up and down the page, lines are sorted by height.
func layOut(pieces []piece) []Line {
	pieces = upright(pieces)
	var lines []Line
	var now *builder
	for _, p := range pieces {
		if now == nil || !now.add(p) {
			if now != nil {
				lines = now.end(lines)
			}
			now = begin(p)
		}
	}
	if now != nil {
		lines = now.end(lines)
	}
	if isJumbled(lines) {
		slices.SortStableFunc(lines, func(a, b Line) int {
			if math.Abs(a.Y-b.Y) > 0.3*min(a.Size, b.Size) {
				return cmp.Compare(b.Y, a.Y)
			}
			return cmp.Compare(a.Left, b.Left)
		})
		lines = joinRows(lines)
	}
	return lines
}

// upright rotates the page so most of its text runs from left to right, and drops text in
// other directions, such as stamps along the margin.
func upright(pieces []piece) []piece {
	letters := make([]int, 4) // by quarter turns
	turn := func(p piece) int {
		return int(4+math.Round(math.Atan2(p.to.y-p.from.y, p.to.x-p.from.x)/(math.Pi/2))) % 4
	}
	for _, p := range pieces {
		letters[turn(p)] += len(p.text)
	}
	most := slices.Index(letters, slices.Max(letters))
	rotate := func(q point) point {
		for range most {
			q = point{q.y, -q.x}
		}
		return q
	}
	var out []piece
	for _, p := range pieces {
		if turn(p) == most {
			p.from, p.to = rotate(p.from), rotate(p.to)
			out = append(out, p)
		}
	}
	return out
}

// builder collects the pieces of a line.
type builder struct {
	text        strings.Builder
	left, right float64
	y, size     float64 // of the piece that later ones are aligned with
	sizes       map[float64]int
	letters     int
	bold        int
}

func begin(p piece) *builder {
	b := &builder{left: p.from.x, right: p.from.x, y: p.from.y, size: p.size, sizes: map[float64]int{}}
	b.write(p)
	return b
}

func (b *builder) write(p piece) {
	b.text.WriteString(p.text)
	b.right = p.to.x
	n := utf8.RuneCountInString(strings.TrimSpace(p.text))
	b.sizes[math.Round(2*p.size)/2] += n
	b.letters += n
	if p.bold {
		b.bold += n
	}
}

// add reports false if a piece does not belong to the line.
func (b *builder) add(p piece) bool {
	size := max(b.size, p.size)
	gap := p.from.x - b.right
	raised := p.size < 0.85*b.size || b.size < 0.85*p.size // superscript or subscript
	switch dy := math.Abs(p.from.y - b.y); {
	case dy > 0.3*size && (!raised || dy > 0.7*size):
		return false
	case gap < -0.6*size || gap > 4*size:
		return false
	}
	if gap > 0.17*min(size, max(p.size, 1)) && !strings.HasSuffix(b.text.String(), " ") && !strings.HasPrefix(p.text, " ") {
		b.text.WriteByte(' ')
	}
	if p.size > b.size {
		b.y, b.size = p.from.y, p.size
	}
	b.write(p)
	return true
}

func (b *builder) end(lines []Line) []Line {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(b.text.String(), "\x00", ""), "")), " ")
	if text == "" {
		return lines
	}
	size, most := 0.0, -1
	for s, n := range b.sizes {
		if n > most || n == most && s > size {
			size, most = s, n
		}
	}
	return append(lines, Line{Text: text, Left: b.left, Right: b.right, Y: b.y, Size: size, Bold: 2*b.bold > b.letters})
}

// isJumbled reports whether lines often move up the page, other than to the next column.
func isJumbled(lines []Line) bool {
	up := 0
	for i := 1; i < len(lines); i++ {
		a, b := lines[i-1], lines[i]
		if b.Y > a.Y+0.5*a.Size && b.Left < a.Right {
			up++
		}
	}
	return len(lines) > 4 && 5*up > len(lines)
}

const maxJoined = 4096 // bytes of a line to which others are added

// joinRows joins lines at the same height that are close to each other.
func joinRows(lines []Line) []Line {
	var out []Line
	for _, l := range lines {
		if n := len(out); n > 0 {
			last := &out[n-1]
			if gap := l.Left - last.Right; math.Abs(last.Y-l.Y) <= 0.3*min(last.Size, l.Size) && gap > -0.6*l.Size && gap < 2*l.Size && len(last.Text) < maxJoined {
				if gap > 0.17*l.Size {
					last.Text += " "
				}
				last.Text, last.Right = last.Text+l.Text, l.Right
				continue
			}
		}
		out = append(out, l)
	}
	return out
}
