package pdf

// cmap maps the codes of a font to text.
type cmap struct {
	wide bool // codes have two bytes instead of one
	text map[int]string
	left int // number of codes that may still be added
}

const maxMapped = 1 << 17 // codes of a font

// readCMap parses a font's mapping of codes to Unicode.
func readCMap(data []byte) *cmap {
	m := &cmap{text: map[int]string{}, left: maxMapped}
	l := &lexer{s: data}
	var operands array
	for m.left > 0 {
		v, err := l.object(maxNesting)
		if err != nil {
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
				m.left--
				if to, ok := operands[i+1].(string); ok {
					m.text[codeOf(operands[i])] = fromUTF16(to)
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
	for code := low; code <= high && m.left > 0; code++ {
		m.left--
		switch to := to.(type) {
		case array:
			if i := code - low; i < len(to) {
				if s, ok := to[i].(string); ok {
					m.text[code] = fromUTF16(s)
				}
			}
		case string:
			if len(to) < 2 {
				return
			}
			// The last character is incremented.
			s := []rune(fromUTF16(to))
			s[len(s)-1] += rune(code - low)
			m.text[code] = string(s)
		default:
			return
		}
	}
}
