package pdf

// cmap maps the codes of a font to text.
type cmap struct {
	wide bool // codes have two bytes instead of one
	text map[int]string
	file *file
}

const (
	maxMapped = 1 << 21 // entries in the tables of all fonts
	maxCode   = 1 << 16
	maxTarget = 512 // bytes that a code may map to, as specified
)

// mapCodes deducts entries from the limit on font tables, and reports whether they may be
// added.
func (f *file) mapCodes(entries int) bool {
	f.mapped += entries
	return f.mapped <= maxMapped && f.step(entries)
}

// add maps a code to text in UTF-16.
func (m *cmap) add(code int, target string) bool {
	if len(target) > maxTarget || !m.file.mapCodes(1+len(target)/16) {
		return false
	}
	m.text[code] = fromUTF16(target)
	return true
}

// readCMap parses a font's mapping of codes to Unicode.
func (f *file) readCMap(data []byte) *cmap {
	m := &cmap{text: map[int]string{}, file: f}
	l := &lexer{s: data}
	var operands array
	for {
		l.count = 0
		v, err := l.object(maxNesting)
		if err != nil || len(operands) > maxElements || !f.step(l.count) {
			break
		}
		op, ok := v.(operator)
		if !ok {
			operands = append(operands, v)
			continue
		}
		switch op {
		case "endcodespacerange":
			for _, v := range operands {
				if s, ok := v.(string); ok && len(s) == 2 {
					m.wide = true
				}
			}
		case "endbfchar":
			for i := 0; i+1 < len(operands); i += 2 {
				if to, ok := operands[i+1].(string); ok {
					m.add(codeOf(operands[i]), to)
				}
			}
		case "endbfrange":
			for i := 0; i+2 < len(operands); i += 3 {
				m.addRange(codeOf(operands[i]), codeOf(operands[i+1]), operands[i+2])
			}
		}
		operands = operands[:0]
	}
	return m
}

func codeOf(v any) int {
	s, _ := v.(string)
	code := 0
	for i := range min(len(s), 4) {
		code = code<<8 | int(s[i])
	}
	return code
}

func (m *cmap) addRange(low, high int, to any) {
	switch to := to.(type) {
	case array:
		for i := 0; i < len(to) && low+i <= high; i++ {
			if s, ok := to[i].(string); ok {
				m.add(low+i, s)
			}
		}
	case string:
		for code := low; code <= min(high, maxCode) && len(to) >= 2 && m.add(code, to); code++ {
			// The last character is incremented.
			s := []rune(m.text[code])
			s[len(s)-1] += rune(code - low)
			m.text[code] = string(s)
		}
	}
}
