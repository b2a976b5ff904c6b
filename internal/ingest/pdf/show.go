package pdf

import "math"

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
	if p.text != "" && r.artifacts == 0 && isFinite(p.from.x+p.from.y+p.to.x+p.to.y+p.size) {
		r.pieces = append(r.pieces, p)
	}
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
