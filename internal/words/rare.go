package words

// Rare returns the words of a text that the vocabulary has only in parts: technical terms,
// names and misspelled words.
func Rare(text string) (rare []string) {
	v := shared()
	for _, t := range v.tokenize(text) {
		if !t.sign && len(t.ids) > 1 {
			rare = append(rare, t.word)
		}
	}
	return rare
}

// Words returns the words of the vocabulary that documents contain. Words that the vocabulary
// has only in parts are not among them.
func (s *Statistics) Words() (out []string) {
	v := shared()
	for id, piece := range v.pieces {
		if s.having[id] > 0 && !v.continuing[id] && !v.sign[id] {
			out = append(out, piece)
		}
	}
	return out
}
