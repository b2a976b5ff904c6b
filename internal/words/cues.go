package words

// Denial cues and the words that bound noun phrases, in English. A cue is a list of tokens;
// the tokenizer makes an apostrophe a separate token. Other languages need their own lists.
var (
	// denials deny the noun phrase after them.
	denials = phrases(
		"no", "without", "free of", "free from", "devoid of", "lack of", "lacks", "lacking", "lack",
		"absence of", "excluding", "excludes", "not", "never", "neither", "nor", "none of", "cannot",
		"isn ' t", "aren ' t", "wasn ' t", "weren ' t", "don ' t", "doesn ' t", "didn ' t",
		"hasn ' t", "haven ' t", "hadn ' t", "won ' t", "can ' t", "couldn ' t", "shouldn ' t",
	)
	// nominal holds the first words of the denials that precede a noun. The others negate a
	// verb: they deny the object of a verb of possession, as in "does not support IPv6", and a
	// noun phrase that starts with an article, as in "is not a directory".
	nominal = set("no", "without", "free", "devoid", "lack", "lacks", "lacking", "absence", "excluding", "excludes")
	// possession holds the stems of verbs whose negation denies their object.
	possession = set("have", "has", "had", "support", "provide", "include", "contain", "need",
		"require", "offer", "serve", "feature", "carry", "accept", "allow", "take", "use", "implement",
		"perform", "define")
	// exceptions deny the noun phrase after them if a word of universals precedes: "all rooms
	// except the attic".
	exceptions = phrases("except", "except for")
	universals = set("all", "any", "every", "everything", "anything", "everyone", "anyone")
	// missing deny the noun phrase before them.
	missing = phrases(
		"not available", "not included", "not provided", "not allowed", "not permitted", "not present",
		"not possible", "not supported", "not implemented", "not exist", "is missing", "are missing",
		"is absent", "are absent", "unavailable",
	)
	// freed deny the word before them: nut-free.
	freed = phrases("- free", "- less")
	// harmless phrases look like denials but deny nothing.
	harmless = phrases(
		"no doubt", "no matter", "no less", "no more", "no longer", "no further", "no other", "no such",
		"no wonder", "no case", "no return", "by no means", "no .", "no -", "_ no", "not only", "not just", "not merely",
		"not least", "not necessarily", "not the same", "not the case", "not to mention", "need not",
		"with or without", "with and without", "without doubt", "without a doubt", "without regard",
		"without arguments", "without any arguments", "without parameters", "without options", "non - free",
	)
	// suppositions start a condition, in which nothing is denied.
	suppositions = set("if", "when", "whenever", "unless", "whether", "until", "once", "case")
	joints       = set("and", "or", "but", "nor")
	// obligations turn a denial into a prohibition or a possibility.
	obligations = set("must", "should", "shall", "may", "might", "could", "would", "can", "cannot", "couldn", "shouldn")
	// adjectives end compounds that describe a thing rather than name it: thread-safe.
	adjectives = set("safe", "based", "aware", "specific", "only", "like", "compatible", "friendly",
		"dependent", "independent", "capable", "readable", "oriented")

	// articles start a noun phrase.
	articles = set("a", "an", "the", "any", "its", "their", "his", "her", "your", "our", "my", "enough", "sufficient")
	// auxiliaries separate the subject of a clause from its predicate.
	auxiliaries = set("is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "do",
		"does", "did", "will", "exist", "exists")
	// places are prepositions of place.
	places = set("in", "on", "at", "to", "with", "from", "by")
	// outside holds the other words that cannot occur inside a simple noun phrase.
	outside = set(
		"of", "for", "in", "on", "at", "to", "from", "by", "with", "without", "into", "onto", "as", "than",
		"between", "within", "during", "before", "after", "above", "below", "over", "under", "through",
		"via", "per", "about", "against", "among", "across", "except", "like", "up", "out", "other",
		"but", "however", "although", "though", "yet", "because", "since", "while", "so", "then", "that",
		"which", "who", "whose", "where", "how", "what", "and", "or", "nor", "no", "not", "never",
		"if", "when", "whenever", "unless", "whether", "until", "once",
		"it", "he", "she", "they", "them", "there", "i", "we", "you", "this", "these", "those", "such",
		"all", "same", "some", "each", "every", "only", "just", "also", "here", "now", "currently", "anymore",
	)
)

// reach is the largest number of tokens in a denied phrase.
const reach = 8
