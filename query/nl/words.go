package nl

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/query"
)

// word is a word of the text, a quoted phrase or a metadata predicate.
type word struct {
	text string // as written; empty for the second half of a contraction
	// is is the lower-case form that rules match. It is empty for quoted phrases and for words
	// whose capital marks a name.
	is    string
	mark  string // the punctuation that follows
	stops bool   // the punctuation ends a sentence
	opens bool   // an opening parenthesis precedes the word
	shuts bool   // a closing parenthesis follows it
	node  query.Node
}

// pauses reports whether punctuation separates the word from the next.
func (w word) pauses() bool { return w.mark != "" || w.shuts }

// named reports whether the word begins with a capital.
func (w word) named() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

// isNumber reports whether w begins with a digit.
func isNumber(w word) bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsDigit(r)
}

// folded returns the text in lower case, even of names.
func (w word) folded() string { return strings.ToLower(w.text) }

// contractions maps contracted forms to their two words.
var contractions = map[string]string{
	"isn't": "is not", "aren't": "are not", "wasn't": "was not", "weren't": "were not",
	"don't": "do not", "doesn't": "does not", "didn't": "did not",
	"hasn't": "has not", "haven't": "have not", "hadn't": "had not",
	"can't": "can not", "cannot": "can not", "couldn't": "could not", "won't": "will not",
	"wouldn't": "would not", "shouldn't": "should not", "mustn't": "must not",
	"isnt": "is not", "arent": "are not", "wasnt": "was not", "dont": "do not", "doesnt": "does not",
	"didnt": "did not", "hasnt": "has not", "havent": "have not", "cant": "can not", "wouldnt": "would not",
	"shouldnt": "should not", "i'm": "i am", "im": "i am", "i'd": "i would", "i've": "i have", "i'll": "i will", "we're": "we are",
	"it's": "it is", "that's": "that is", "they're": "they are", "what's": "what is", "who's": "who is",
	"there's": "there is", "let's": "let us", "w/o": "without", "&": "and",
}

// split splits a text into words.
func split(text string) []word {
	s := splitter{shouted: !strings.ContainsFunc(text, unicode.IsLower), first: true}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, rest, ok := cutQuoted(text)
		if ok {
			s.add(word{text: quoted})
			text = strings.TrimLeft(rest, `,;.:!?)]`)
			s.punctuate(rest[:len(rest)-len(text)])
			continue
		}
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		if field := text[:end]; strings.Contains(field, `:"`) || strings.Contains(field, ":“") {
			if t := query.Tokens(text)[0]; isCondition(t) {
				end = t.End // the value may contain spaces
			}
		}
		s.field(text[:end])
		text = text[end:]
	}
	if n := len(s.words); n > 0 {
		last := &s.words[n-1]
		last.stops = true
		if bare := strings.TrimSuffix(last.text, "."); bare != "" && !strings.Contains(bare, ".") {
			last.text = bare
		}
	}
	return s.words
}

// splitter collects the words of a text.
type splitter struct {
	words   []word
	shouted bool // the text has no lower case, so capitals do not mark names
	first   bool // the next word begins a sentence
	opened  bool // an opening parenthesis precedes the next word
}

func (s *splitter) add(w word) {
	w.opens, s.opened, s.first = s.opened, false, false
	s.words = append(s.words, w)
}

// punctuate attaches punctuation to the last word.
func (s *splitter) punctuate(marks string) {
	n := len(s.words)
	if n == 0 || marks == "" {
		return
	}
	w := &s.words[n-1]
	for _, r := range marks {
		switch r {
		case ')', ']':
			w.shuts = true
		case '.', '!', '?', '…':
			w.mark, w.stops, s.first = string(r), true, true
		case '—', '–', '-':
			w.mark = " " + string(r)
		case ':':
			w.mark, s.first = ":", true
		default:
			w.mark = ","
		}
	}
}

// field splits a space-delimited field into words and punctuation.
func (s *splitter) field(text string) {
	if strings.Trim(text, "-–—") == "" {
		s.punctuate(text)
		return
	}
	if strings.Contains(text, ":") {
		if t := query.Tokens(text); len(t) == 1 && isCondition(t[0]) {
			if n, err := query.Parse(text); err == nil {
				s.add(word{text: text, node: n})
				return
			}
		}
	}
	if !strings.Contains(text, "://") && !isCall(text) {
		if i := strings.IndexFunc(text, separates); i >= 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			switch before, after := text[:i], text[i+size:]; {
			case before == "" || after == "" || text[i] == '(' || text[i] == '[' || !betweenDigits(before, after):
				if before != "" {
					s.word(before)
				}
				s.separator(text[i : i+size])
				if after != "" {
					s.field(after)
				}
				return
			}
		}
	}
	s.word(text)
}

// isCondition reports whether a token has the form name:value.
func isCondition(t query.Token) bool {
	return t.Kind == query.TokenPredicate || t.Kind == query.TokenItem
}

// isCall reports whether parentheses are part of the word, as in f(x) and dog(s).
func isCall(text string) bool {
	open := strings.IndexAny(text, "([")
	return open > 0 && strings.IndexAny(text[open:], ")]") > 0
}

// separates reports whether r ends a word inside a field.
func separates(r rune) bool { return strings.ContainsRune("()[],;—\"“”", r) }

func betweenDigits(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	return unicode.IsDigit(a) && unicode.IsDigit(b)
}

func (s *splitter) separator(sep string) {
	switch sep {
	case "(", "[":
		s.opened = true
	case `"`, "“", "”":
	default:
		s.punctuate(sep)
	}
}

// word adds one word with its trailing punctuation.
func (s *splitter) word(text string) {
	bare := strings.TrimRight(text, ".!?:…")
	if bare == "" {
		s.punctuate(text)
		return
	}
	if marks := text[len(bare):]; marks == "." && isShortened(bare) {
		bare = text
	}
	lower := strings.ToLower(strings.ReplaceAll(bare, "’", "'"))
	if !s.first && !s.shouted && lower != bare && !strings.HasPrefix(lower, "i'") && lower != "i" {
		if r, _ := utf8.DecodeRuneInString(bare); unicode.IsUpper(r) {
			lower = ""
		}
	}
	if two, ok := contractions[lower]; ok {
		one, other, _ := strings.Cut(two, " ")
		s.add(word{text: bare, is: one})
		if other != "" {
			s.add(word{is: other})
		}
	} else {
		s.add(word{text: bare, is: lower})
	}
	s.punctuate(text[len(bare):])
}

var abbreviations = set("mr mrs ms dr st vs jr sr ca cf etc approx excl incl nr")

// isShortened reports whether a period after the word belongs to it.
func isShortened(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsLetter(r) || word == "No" || strings.Contains(word, ".") || abbreviations[strings.ToLower(word)]
}

// cutQuoted cuts a quoted phrase off the front of text.
func cutQuoted(text string) (quoted, rest string, ok bool) {
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}} {
		if body, found := strings.CutPrefix(text, q[0]); found {
			quoted, rest, ok = strings.Cut(body, q[1])
			return strings.TrimSpace(quoted), rest, ok && strings.TrimSpace(quoted) != ""
		}
	}
	return "", "", false
}

// join returns the text of words with the punctuation between them.
func join(words []word) string {
	var b strings.Builder
	open := 0
	for i, w := range words {
		if w.text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if w.opens && slices.ContainsFunc(words[i:], func(w word) bool { return w.shuts }) {
			b.WriteByte('(')
			open++
		}
		b.WriteString(w.text)
		if w.shuts && open > 0 {
			b.WriteByte(')')
			open--
		}
		if i < len(words)-1 {
			b.WriteString(w.mark)
		}
	}
	return b.String()
}
