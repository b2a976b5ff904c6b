package nl

import (
	"slices"
	"strings"
)

// cue is a phrase that adds or excludes what follows it.
type cue struct {
	text     string
	excludes bool
}

type cuePhrase struct {
	cue
	words []string
	// afterComma asks for a comma before the phrase, since it is too common
	// without one to mean an exclusion.
	afterComma bool
}

var cues = makeCues()

func makeCues() []cuePhrase {
	var out []cuePhrase
	add := func(excludes, afterComma bool, phrases ...string) {
		for _, p := range phrases {
			out = append(out, cuePhrase{cue{p, excludes}, strings.Fields(p), afterComma})
		}
	}
	add(true, false,
		"without", "without any", "but without", "and without",
		"but not", "and not", "but no", "and no", "with no", "but with no", "and with no",
		"excluding", "but excluding", "excludes", "minus",
		"except", "except for", "except those with", "but except", "other than", "but for",
		"not including", "not containing", "not featuring", "not showing", "not involving", "not about",
		"but not about", "and not about", "but nothing about", "but not with", "and not with",
		"anything but", "everything but", "all but",
		"that neither", "that are neither", "which are neither", "who are neither", "that is neither",
		"with neither", "neither")
	add(true, true, "not", "no", "never")
	for _, who := range []string{"that", "which", "who"} {
		for _, is := range []string{"are not", "is not", "aren't", "isn't", "were not", "was not",
			"do not have", "don't have", "does not have", "doesn't have", "have no", "has no", "had no",
			"do not contain", "don't contain", "does not contain", "doesn't contain", "contain no", "contains no",
			"do not show", "don't show", "does not show", "doesn't show", "show no", "shows no",
			"do not include", "don't include", "does not include", "doesn't include",
			"do not involve", "don't involve", "does not involve", "doesn't involve",
			"are not about", "is not about", "aren't about", "isn't about"} {
			add(true, false, who+" "+is)
		}
		for _, is := range []string{"are also", "is also", "are both", "are also both", "is also both", "also have", "also has", "also show", "also shows", "also contain", "also contains"} {
			add(false, false, who+" "+is)
		}
	}
	add(false, false, "and also", "but also", "as well as", "together with", "along with", "combined with", "in addition to")
	// The longest phrase that fits wins.
	slices.SortStableFunc(out, func(a, b cuePhrase) int { return len(b.words) - len(a.words) })
	return out
}

// cueAt finds the longest cue at index i; n is its number of words, 0 if none.
func cueAt(words []word, i int) (c cue, n int) {
	if idiomAt(words, i) > 0 || i > 0 && insideIdiom(words, i) {
		return cue{}, 0
	}
	for _, p := range cues {
		if p.afterComma && i > 0 && !words[i-1].comma {
			continue
		}
		if n := matchAt(words, i, p.words); n > 0 {
			return p.cue, n
		}
	}
	return cue{}, 0
}

// idioms are phrases in which and, or, not and without mean nothing logical.
var idioms = fields(
	"black and white", "rock and roll", "rhythm and blues", "drum and bass", "country and western",
	"salt and pepper", "bread and butter", "mac and cheese", "macaroni and cheese", "fish and chips",
	"peanut butter and jelly", "oil and vinegar", "bed and breakfast", "arts and crafts", "hide and seek",
	"research and development", "science and technology", "health and safety", "terms and conditions",
	"law and order", "crime and punishment", "war and peace", "pride and prejudice", "beauty and the beast",
	"trial and error", "pros and cons", "supply and demand", "questions and answers", "drag and drop",
	"back and forth", "up and down", "in and out", "over and over", "again and again", "now and then",
	"cause and effect", "mergers and acquisitions", "profit and loss", "cut and paste",
	"more or less", "sooner or later", "whether or not", "to be or not to be", "trick or treat", "life or death",
	"make or break", "all or nothing", "one or two", "two or three", "double or nothing", "dead or alive",
	"without a doubt", "with or without", "without end", "not only", "why not", "not just", "no one", "no longer", "last but not least",
)

func idiomAt(words []word, i int) int {
	for _, p := range idioms {
		if n := matchAt(words, i, p); n > 0 {
			return n
		}
	}
	return 0
}

// insideIdiom reports whether an idiom that began earlier reaches over i.
func insideIdiom(words []word, i int) bool {
	const longest = 6
	for j := max(0, i-longest); j < i; j++ {
		if n := idiomAt(words, j); j+n > i {
			return true
		}
	}
	return false
}

// requests ask for results; containers name any result whatever the
// collection. A kind of thing, such as films or recipes, is content and stays.
var (
	requests = fields(
		"please show me", "please find me", "please find", "can you find me", "can you find", "can you show me",
		"could you find", "show me all", "show me", "find me all", "find me", "find all", "find", "give me all", "give me",
		"get me", "search for", "look for", "list all", "i am looking for", "i'm looking for", "looking for",
		"i would like to see", "i would like", "i want to see", "i want", "i need", "we need", "what are", "which are")
	containers = makeContainers()
	articles   = []string{"a", "an", "the", "any", "some", "all"}
)

func makeContainers() [][]string {
	var out [][]string
	for _, quantity := range []string{"", "all ", "any ", "some ", "the ", "a ", "an "} {
		for _, what := range []string{"photos", "photo", "photographs", "photograph", "pictures", "picture", "images", "image", "pics", "snapshots",
			"documents", "document", "results", "texts", "text", "files", "pages", "entries", "items", "things", "something", "anything", "everything"} {
			for _, link := range []string{"of", "about", "showing", "that show", "containing", "mentioning", "featuring", "depicting", "on", "with"} {
				out = append(out, strings.Fields(quantity+what+" "+link))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b []string) int { return len(b) - len(a) })
	return out
}

// isAnything reports whether the words stand for every document.
func isAnything(words []word) bool {
	switch strings.ToLower(join(words)) {
	case "anything", "everything", "all", "things", "something", "documents", "photos", "pictures", "images", "results":
		return true
	}
	return false
}

func fields(phrases ...string) [][]string {
	out := make([][]string, len(phrases))
	for i, p := range phrases {
		out[i] = strings.Fields(p)
	}
	return out
}
