package words

import "strings"

// stopWords holds the function words of English, which carry no topic.
var stopWords = func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(`
		a an the this that these those some any one such
		i me my we our you your he his she her it its they their
		what which who how when where why there here
		of in on at to for with from by into over under about as than via per up out
		and or not no but so if then also
		is are was were be been being do does did have has had
		can could should would will may might must
		get make use used using`) {
		out[w] = true
	}
	return out
}()

// ContentWords counts the words of a text that are not stop words.
func ContentWords(text string) (n int) {
	for _, t := range shared().tokenize(text) {
		if !t.sign && !stopWords[t.word] {
			n++
		}
	}
	return n
}
