package pdf

import (
	"bytes"
	"math"
)

// matrix maps x and y to a·x + c·y + e and b·x + d·y + f.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// then returns m followed by n.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

// piece is a string at its position on the page.
type piece struct {
	text     string
	from, to point // along its baseline
	size     float64
	bold     bool
}

type point struct{ x, y float64 }

// state is the graphics state that q saves and Q restores.
type state struct {
	ctm                        matrix
	font                       *font
	size, spacing, wordSpacing float64
	stretch, leading, rise     float64
}

// interpreter executes the contents of a page to extract its text.
type interpreter struct {
	file   *file
	fonts  map[ref]*font
	pieces []piece

	state
	kept       []state
	text, line matrix
	marks      []bool // open marked contents, and whether each is excluded from the text
	artifacts  int    // number of those excluded
}

const (
	formSteps = 1000 // cost of executing a form, in steps
	maxStates = 1000
)

func (r *interpreter) page(p dict) {
	r.state = state{ctm: identity, stretch: 1}
	var contents []byte
	for _, v := range r.file.list(p["Contents"]) {
		if s, ok := v.(stream); ok {
			contents = append(append(contents, r.file.decode(s)...), '\n')
		}
		if len(contents) > maxStream {
			return
		}
	}
	r.run(contents, r.file.dict(p["Resources"]), 0)
}

func (r *interpreter) run(contents []byte, resources dict, depth int) {
	l := &lexer{s: contents}
	var args array
	local := map[name]*font{}
	for {
		l.count = 0
		v, err := l.object(maxNesting)
		if err != nil || len(r.pieces) > maxPieces || !r.file.step(l.count) {
			return
		}
		op, ok := v.(operator)
		if !ok {
			if args = append(args, v); len(args) > 1000 {
				args = args[1:]
			}
			continue
		}
		switch op {
		case "BI":
			l.skipImage()
		case "Tf":
			r.setFont(args, resources, local)
		case "Do":
			r.form(args, resources, depth)
		case "BMC", "BDC":
			artifact := r.isArtifact(args, resources)
			if r.marks = append(r.marks, artifact); artifact {
				r.artifacts++
			}
		case "EMC":
			if n := len(r.marks); n > 0 {
				if r.marks[n-1] {
					r.artifacts--
				}
				r.marks = r.marks[:n-1]
			}
		default:
			r.do(op, args)
		}
		args = args[:0]
	}
}

func (l *lexer) skipImage() {
	begin := bytes.Index(l.s[l.at:], []byte("ID"))
	if begin < 0 {
		l.at = len(l.s)
		return
	}
	for l.at += begin + 2; ; l.at += len("EI") {
		end := bytes.Index(l.s[l.at:], []byte("EI"))
		if end < 0 {
			l.at = len(l.s)
			return
		}
		l.at += end
		after := l.at + len("EI")
		if l.at > 0 && isSpace(l.s[l.at-1]) && (after == len(l.s) || isSpace(l.s[after])) {
			l.at = after
			return
		}
	}
}

// isArtifact reports whether marked content is a header, footer or page number.
func (r *interpreter) isArtifact(args array, resources dict) bool {
	if len(args) < 2 || args[0] != name("Artifact") {
		return false
	}
	properties := r.file.dict(args[1])
	if n, ok := args[1].(name); ok {
		properties = r.file.dict(r.file.dict(resources["Properties"])[n])
	}
	return r.file.value(properties["Type"]) == name("Pagination")
}

func (r *interpreter) setFont(args array, resources dict, local map[name]*font) {
	if len(args) < 2 {
		return
	}
	n, _ := args[0].(name)
	r.size = number(args[1])
	if f, ok := local[n]; ok {
		r.font = f
		return
	}
	v := r.file.dict(resources["Font"])[n]
	id, shared := v.(ref)
	if shared && r.fonts[id] != nil {
		r.font = r.fonts[id]
	} else {
		r.font = r.file.font(v)
	}
	if shared {
		r.fonts[id] = r.font
	}
	local[n] = r.font
}

func (r *interpreter) form(args array, resources dict, depth int) {
	if len(args) == 0 || depth > 16 {
		return
	}
	n, _ := args[0].(name)
	s, ok := r.file.value(r.file.dict(resources["XObject"])[n]).(stream)
	if !ok || r.file.value(s.dict["Subtype"]) != name("Form") {
		return
	}
	before := r.state
	if !r.file.step(formSteps) {
		return
	}
	if m := r.file.numbers(s.dict["Matrix"]); len(m) == 6 {
		r.ctm = matrix{m[0], m[1], m[2], m[3], m[4], m[5]}.then(r.ctm)
	}
	if inner := r.file.dict(s.dict["Resources"]); inner != nil {
		resources = inner
	}
	r.run(r.file.decode(s), resources, depth+1)
	r.state = before
}

func (r *interpreter) do(op operator, args array) {
	arg := func(i int) float64 {
		if i < len(args) {
			return number(args[i])
		}
		return 0
	}
	last := func() any {
		if len(args) == 0 {
			return nil
		}
		return args[len(args)-1]
	}
	switch op {
	case "q":
		if len(r.kept) < maxStates {
			r.kept = append(r.kept, r.state)
		}
	case "Q":
		if n := len(r.kept); n > 0 {
			r.state, r.kept = r.kept[n-1], r.kept[:n-1]
		}
	case "cm":
		r.ctm = matrix{arg(0), arg(1), arg(2), arg(3), arg(4), arg(5)}.then(r.ctm)
	case "BT":
		r.text, r.line = identity, identity
	case "Tc":
		r.spacing = arg(0)
	case "Tw":
		r.wordSpacing = arg(0)
	case "Tz":
		r.stretch = arg(0) / 100
	case "TL":
		r.leading = arg(0)
	case "Ts":
		r.rise = arg(0)
	case "Td":
		r.move(arg(0), arg(1))
	case "TD":
		r.leading = -arg(1)
		r.move(arg(0), arg(1))
	case "Tm":
		r.line = matrix{arg(0), arg(1), arg(2), arg(3), arg(4), arg(5)}
		r.text = r.line
	case "T*":
		r.move(0, -r.leading)
	case "Tj":
		r.show(last())
	case "'":
		r.move(0, -r.leading)
		r.show(last())
	case "\"":
		r.wordSpacing, r.spacing = arg(0), arg(1)
		r.move(0, -r.leading)
		r.show(last())
	case "TJ":
		list, _ := last().(array)
		for _, v := range list {
			if !r.file.step(1) {
				return
			}
			if n, ok := v.(float64); ok {
				r.advance(-n / 1000 * r.size * r.stretch)
			} else {
				r.show(v)
			}
		}
	}
}

func (r *interpreter) move(x, y float64) {
	r.line = matrix{1, 0, 0, 1, x, y}.then(r.line)
	r.text = r.line
}

func (r *interpreter) advance(x float64) { r.text = matrix{1, 0, 0, 1, x, 0}.then(r.text) }

func (r *interpreter) show(v any) {
	s, _ := v.(string)
	if r.font == nil || s == "" {
		return
	}
	// Some programs separate words by letter spacing.
	apart := r.spacing > 0.5*r.size || r.spacing > 0.15*r.size && len(s) <= 2
	now := piece{bold: r.font.bold}
	now.from, now.size = r.place()
	var text []byte
	r.font.read(s, func(c shown) bool {
		if !r.file.step(1) || c.text != "" && !r.file.spend(0, len(c.text)) || len(r.pieces) > maxPieces {
			return false
		}
		text = append(text, c.text...)
		w := c.width / 1000 * r.size
		if apart {
			r.advance(w * r.stretch)
			r.add(now, text)
			w = 0
		}
		w += r.spacing
		if c.space {
			w += r.wordSpacing
		}
		r.advance(w * r.stretch)
		if apart {
			text = nil
			now.from, now.size = r.place()
		}
		return true
	})
	r.add(now, text)
}

// place returns the position of the next letter, and its size.
func (r *interpreter) place() (point, float64) {
	m := matrix{1, 0, 0, 1, 0, r.rise}.then(r.text).then(r.ctm)
	return point{m.e, m.f}, math.Abs(math.Hypot(m.c, m.d) * r.size)
}

// add adds a piece that ends here, unless it is not part of the page's text.
func (r *interpreter) add(p piece, text []byte) {
	p.text = string(text)
	p.to, _ = r.place()
	sum := p.from.x + p.from.y + p.to.x + p.to.y + p.size
	if p.text != "" && r.artifacts == 0 && math.Abs(sum) <= math.MaxFloat64 {
		r.pieces = append(r.pieces, p)
	}
}
