package pdf

import (
	"regexp"
	"strconv"
	"strings"
)

// font maps codes to text and widths.
type font struct {
	wide    bool // codes have two bytes
	bold    bool
	unicode bool            // codes are UTF-16
	text    *cmap           // from the font's ToUnicode map
	codes   *encoding       // of one byte
	width   map[int]float64 // in thousandths of the size
	usual   float64         // default width
}

// shown is a code with its text.
type shown struct {
	text  string
	width float64
	space bool // the single-byte code of a space
}

// read splits a string into codes and calls each with them until it returns false.
func (f *font) read(s string, each func(shown) bool) {
	for i := 0; i < len(s); {
		code, n := int(s[i]), 1
		if f.wide && i+1 < len(s) {
			code, n = code<<8|int(s[i+1]), 2
		}
		i += n
		w, ok := f.width[code]
		if !ok {
			w = f.usual
		}
		if !each(shown{f.say(code), w, n == 1 && code == ' '}) {
			return
		}
	}
}

func (f *font) say(code int) string {
	if f.text != nil {
		if s, ok := f.text.text[code]; ok {
			return s
		}
	}
	switch {
	case f.unicode:
		return fromUTF16(string([]byte{byte(code >> 8), byte(code)}))
	case f.codes != nil && code < len(f.codes):
		return f.codes[code]
	}
	return ""
}

func (f *file) font(v any) *font {
	d := f.dict(v)
	base, _ := f.value(d["BaseFont"]).(name)
	out := &font{width: map[int]float64{}, usual: 500, bold: isBold(string(base))}
	if !f.mapCodes(len(encoding{})) {
		return out
	}
	if s, ok := f.value(d["ToUnicode"]).(stream); ok {
		out.text = f.readCMap(f.decode(s))
	}
	if f.value(d["Subtype"]) == name("Type0") {
		f.composite(out, d)
	} else {
		f.simple(out, d, string(base))
	}
	return out
}

func isBold(base string) bool {
	base = strings.ToLower(base)
	return strings.Contains(base, "bold") || strings.Contains(base, "black") || strings.Contains(base, "heavy") ||
		strings.Contains(base, "cmbx") || strings.HasSuffix(base, "-b")
}

func (f *file) simple(out *font, d dict, base string) {
	descriptor := f.dict(d["FontDescriptor"])
	if w, ok := f.value(descriptor["MissingWidth"]).(float64); ok && w > 0 {
		out.usual = w
	} else if strings.Contains(base, "Courier") {
		out.usual = 600
	}
	first := int(number(f.value(d["FirstChar"])))
	for i, w := range f.numbers(d["Widths"]) {
		if !f.mapCodes(1) {
			return
		}
		out.width[first+i] = w
	}
	if m := f.numbers(d["FontMatrix"]); f.value(d["Subtype"]) == name("Type3") && len(m) == 6 {
		for code := range out.width {
			out.width[code] *= 1000 * m[0]
		}
	}
	switch e := f.value(d["Encoding"]).(type) {
	case name:
		out.codes = baseEncoding(e)
	case dict:
		from, _ := f.value(e["BaseEncoding"]).(name)
		out.codes = f.builtIn(descriptor, base, from)
		code := 0
		for _, v := range f.array(e["Differences"]) {
			switch v := f.value(v).(type) {
			case float64:
				code = int(v)
			case name:
				if code >= 0 && code < len(out.codes) {
					out.codes[code] = glyphText(string(v))
				}
				code++
			}
		}
	default:
		out.codes = f.builtIn(descriptor, base, "")
	}
	if f.value(d["Widths"]) == nil {
		for code, s := range out.codes {
			if w := standardWidth(base, s); w > 0 {
				out.width[code] = w
			}
		}
	}
}

var encodingEntry = regexp.MustCompile(`dup\s+(\d{1,3})\s*/(\S+)\s+put`)

// builtIn returns a font's own encoding.
func (f *file) builtIn(descriptor dict, base string, from name) *encoding {
	if from == "" && strings.Contains(base, "Symbol") {
		return symbols()
	}
	e := baseEncoding(from)
	if program, ok := f.value(descriptor["FontFile"]).(stream); ok && from == "" {
		data := f.decode(program)
		for _, m := range encodingEntry.FindAllSubmatch(data[:min(len(data), 64<<10)], 256) {
			if code, err := strconv.Atoi(string(m[1])); err == nil && code < len(e) {
				e[code] = glyphText(string(m[2]))
			}
		}
	}
	return e
}

func (f *file) composite(out *font, d dict) {
	out.wide, out.usual = true, 1000
	switch e := f.value(d["Encoding"]).(type) {
	case name:
		out.unicode = strings.Contains(string(e), "UCS2") || strings.Contains(string(e), "UTF16")
	case stream:
		out.wide = f.readCMap(f.decode(e)).wide
	}
	kids := f.array(d["DescendantFonts"])
	if len(kids) == 0 {
		return
	}
	kid := f.dict(kids[0])
	if w, ok := f.value(kid["DW"]).(float64); ok {
		out.usual = w
	}
	// Either "10 [500 600]", widths from code 10 on, or "10 12 500", one width for a
	// range.
	for w := f.array(kid["W"]); len(w) >= 2; {
		first := int(number(f.value(w[0])))
		if list := f.array(w[1]); list != nil {
			for i, v := range list {
				if !f.mapCodes(1) {
					return
				}
				out.width[first+i] = number(f.value(v))
			}
			w = w[2:]
			continue
		}
		if len(w) < 3 {
			return
		}
		last := int(number(f.value(w[1])))
		for code := first; code <= last && code < maxCode; code++ {
			if !f.mapCodes(1) {
				return
			}
			out.width[code] = number(f.value(w[2]))
		}
		w = w[3:]
	}
}
