package ingest

import "strings"

// newTex reads s, which is so deep within other pieces.
func newTex(s string, depth int) *tex {
	t := &tex{s: s, depth: depth, closing: make([]int32, len(s)+1)}
	var open []int
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				t.closing[open[n-1]], open = int32(i), open[:n-1]
			}
		}
	}
	return t
}

// argument is what is in the braces that follow, as it is written.
func (t *tex) argument() string {
	rest := strings.TrimLeft(t.s[t.at:], " \n\t")
	begin := len(t.s) - len(rest)
	end := int(t.closing[begin])
	if end == 0 {
		return ""
	}
	t.at = end + 1
	return t.s[begin+1 : end]
}

// inner is what an argument says, on one line.
func (t *tex) inner() string { return t.oneLine(t.argument()) }

// oneLine is what a piece of LaTeX says, on one line.
func (t *tex) oneLine(s string) string {
	const deepest = 8
	if t.depth >= deepest {
		return s
	}
	inner := newTex(s, t.depth+1)
	inner.read()
	inner.flush()
	var words []string
	for _, b := range inner.blocks {
		words = append(words, b.Rows...)
	}
	return strings.Join(words, " ")
}

// options passes by what is in brackets right behind a command.
func (t *tex) options() {
	for t.at < len(t.s) && t.s[t.at] == '[' {
		end := strings.IndexByte(t.near(), ']')
		if end < 0 {
			return
		}
		t.at += end + 1
	}
}

// near is what follows, as far as short things reach.
func (t *tex) near() string {
	const far = 2000
	return t.s[t.at:min(len(t.s), t.at+far)]
}

// labelled is the label of an item, if it has one.
func (t *tex) labelled() string {
	if t.at < len(t.s) && t.s[t.at] == '[' {
		if end := strings.IndexByte(t.near(), ']'); end > 0 {
			label := t.s[t.at+1 : t.at+end]
			t.at += end + 1
			return t.oneLine(label)
		}
	}
	return ""
}

func (t *tex) environment(name string) {
	plain := strings.TrimSuffix(name, "*")
	switch {
	case texVerbatim[plain]:
		t.end()
		t.options()
		if plain == "minted" {
			t.argument()
		}
		number := t.line()
		inside := t.until(0, "\\end{"+name+"}")
		t.code(number, strings.Split(inside, "\n"))
	case texHidden[plain]:
		t.until(0, "\\end{"+name+"}")
	case texTables[plain]:
		t.end()
		t.flush()
		t.options()
		if t.argument(); plain == "tabularx" {
			t.argument()
		}
		t.cells = true
	case texLists[plain]:
		t.end()
		t.options()
		t.lists++
	case plain == "document": // what came before says how, not what
		t.text.Reset()
		t.blocks, t.words, t.rows = nil, nil, nil
	default:
		t.options()
	}
}

func (t *tex) leave(name string) {
	plain := strings.TrimSuffix(name, "*")
	t.end()
	switch {
	case texTables[plain]:
		t.cells = false
		t.flush()
	case texLists[plain]:
		if t.lists = max(0, t.lists-1); t.lists == 0 {
			t.flush()
		}
	case plain == "document":
		t.at = len(t.s)
	case plain == "abstract" || plain == "quote" || plain == "figure" || plain == "table" || plain == "frame":
		t.flush()
	}
}
