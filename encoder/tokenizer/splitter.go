package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// pieces is a text divided into nonempty parts.
type pieces struct {
	text  []byte
	spans []span
	buf   []byte // buffer for a text created by a splitter
}

type span struct{ start, end int }

// splitter splits pieces further.
type splitter interface {
	// split splits the pieces of in and appends them to out, which starts with the same text.
	split(in, out *pieces)
}

// readSplitters reads a component and its nested components, in order.
func readSplitters(raw json.RawMessage) ([]splitter, error) {
	kind, err := kindOf(raw)
	if kind == "" || err != nil {
		return nil, err
	}
	var s splitter
	switch kind {
	case "Sequence":
		return readSequence(raw, "pretokenizers", readSplitters)
	case "BertPreTokenizer":
		s, err = bertWords{}, decode(raw, &struct{ Type string }{})
	case "WhitespaceSplit":
		s, err = patternSplit{knownPatterns[`\s+`], "Removed", false}, decode(raw, &struct{ Type string }{})
	case "Metaspace":
		s, err = readMetaspace(raw)
	case "ByteLevel":
		s, err = readByteLevel(raw)
	case "Split":
		s, err = readPatternSplit(raw)
	default:
		err = errUnsupported
	}
	if err != nil {
		return nil, fmt.Errorf("pre-tokenizer %s: %w", kind, err)
	}
	return []splitter{s}, nil
}

// add adds a piece unless it is empty.
func (p *pieces) add(start, end int) {
	if start < end {
		p.spans = append(p.spans, span{start, end})
	}
}

// metaspace replaces each space by a character and splits before it.
type metaspace struct {
	sign    string
	prepend bool // add a missing sign
	whole   bool // do not split
}

func readMetaspace(raw json.RawMessage) (splitter, error) {
	f := struct {
		Type           string
		Replacement    string
		AddPrefixSpace *bool   `json:"add_prefix_space"` // predates prepend_scheme
		PrependScheme  string  `json:"prepend_scheme"`
		Split          *bool   `json:"split"`
		StrRep         *string `json:"str_rep"` // in old files; same as Replacement
	}{PrependScheme: "always"}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(f.Replacement) != 1 {
		return nil, fmt.Errorf("replacement %q, want one character", f.Replacement)
	}
	switch f.PrependScheme {
	case "always", "never":
	default:
		return nil, fmt.Errorf("prepend_scheme %q: %w", f.PrependScheme, errUnsupported)
	}
	if f.AddPrefixSpace != nil && !*f.AddPrefixSpace && f.PrependScheme != "never" {
		return nil, errors.New("add_prefix_space is false and prepend_scheme is not never")
	}
	return metaspace{f.Replacement, f.PrependScheme == "always", f.Split != nil && !*f.Split}, nil
}

func (m metaspace) split(in, out *pieces) {
	out.buf = out.buf[:0]
	for _, p := range in.spans {
		text, start := in.text[p.start:p.end], len(out.buf)
		if m.prepend && text[0] != ' ' && !bytes.HasPrefix(text, []byte(m.sign)) {
			out.buf = append(out.buf, m.sign...)
		}
		for _, c := range text {
			if c == ' ' {
				out.buf = append(out.buf, m.sign...)
			} else {
				out.buf = append(out.buf, c)
			}
		}
		for !m.whole {
			// The sign starts a piece, whether or not it was a space.
			next := bytes.Index(out.buf[min(start+1, len(out.buf)):], []byte(m.sign))
			if next < 0 {
				break
			}
			out.add(start, start+1+next)
			start += 1 + next
		}
		out.add(start, len(out.buf))
	}
	out.text = out.buf
}

// byteLevel writes each byte as a visible character, optionally after splitting like GPT-2.
type byteLevel struct {
	prefix  bool // put a space before each piece that has none
	pattern pattern
}

func readByteLevel(raw json.RawMessage) (splitter, error) {
	f := struct {
		Type           string
		AddPrefixSpace bool `json:"add_prefix_space"`
		TrimOffsets    bool `json:"trim_offsets"` // no effect on ids
		UseRegex       bool `json:"use_regex"`
	}{UseRegex: true}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	b := byteLevel{prefix: f.AddPrefixSpace}
	if f.UseRegex {
		b.pattern = gpt2Words
	}
	return b, nil
}

func (b byteLevel) split(in, out *pieces) {
	out.buf = out.buf[:0]
	for _, p := range in.spans {
		text := in.text[p.start:p.end]
		if b.prefix && text[0] != ' ' {
			start := len(out.buf)
			out.buf = append(append(out.buf, ' '), text...)
			text = out.buf[start:]
		}
		for at := 0; at < len(text); {
			end := len(text)
			if b.pattern != nil {
				_, end = b.pattern.find(text, at)
			}
			start := len(out.buf)
			for _, c := range text[at:end] {
				out.buf = utf8.AppendRune(out.buf, byteRunes[c])
			}
			out.add(start, len(out.buf))
			at = end
		}
	}
	out.text = out.buf
}

// byteRunes maps bytes to characters: visible Latin-1 characters to themselves, and the
// others, in order, to those from U+0100 on.
var byteRunes = func() (runes [256]rune) {
	next := rune(256)
	for c := range rune(256) {
		if '!' <= c && c <= '~' || 0xa1 <= c && c <= 0xac || 0xae <= c {
			runes[c] = c
			continue
		}
		runes[c] = next
		next++
	}
	return runes
}()

// patternSplit splits at the matches of a pattern.
type patternSplit struct {
	pattern  pattern
	behavior string // what to do with the matches
	invert   bool   // swap matches and the text between them
}

func readPatternSplit(raw json.RawMessage) (splitter, error) {
	var f struct {
		Type     string
		Pattern  json.RawMessage
		Behavior string
		Invert   bool
	}
	if err := decode(raw, &f); err != nil {
		return nil, err
	}
	switch f.Behavior {
	case "Removed", "Isolated", "MergedWithPrevious":
	default:
		return nil, fmt.Errorf("behavior %q: %w", f.Behavior, errUnsupported)
	}
	p, err := readPattern(f.Pattern)
	return patternSplit{p, f.Behavior, f.Invert}, err
}

func (s patternSplit) split(in, out *pieces) {
	for _, p := range in.spans {
		first, matched := len(out.spans), false // whether the last piece was a match
		add := func(start, end int, match bool) {
			last := len(out.spans) - 1
			switch {
			case start == end || match && s.behavior == "Removed":
				return
			case s.behavior == "MergedWithPrevious" && match && !matched && last >= first:
				out.spans[last].end = end
			default:
				out.add(start, end)
			}
			matched = match
		}
		for at := p.start; at < p.end; {
			from, to := s.pattern.find(in.text[:p.end], at)
			if from < 0 {
				from, to = p.end, p.end
			}
			add(at, from, s.invert)
			add(from, to, !s.invert)
			at = to
		}
	}
}
