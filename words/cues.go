package words

// The cues of denial, in English. Each is a list of words; an apostrophe is a word of
// its own, as the tokenizer has it. Another language would have lists of its own here.
var (
	// denials deny what follows, to the end of the clause.
	denials = phrases(
		"no", "not", "without", "never", "neither", "nor", "cannot", "none of",
		"free of", "free from", "devoid of", "lack of", "lacks", "lacking", "lack",
		"absence of", "absent", "excluding", "excludes", "instead of", "rather than",
		"isn ' t", "aren ' t", "wasn ' t", "weren ' t", "don ' t", "doesn ' t", "didn ' t",
		"hasn ' t", "haven ' t", "hadn ' t", "won ' t", "can ' t", "couldn ' t", "shouldn ' t",
	)
	// exceptions deny what follows, unless something is denied before them in the sentence:
	// then they take it back.
	exceptions = phrases("except", "except for", "other than", "apart from")
	// mere look like denials and deny nothing.
	mere = phrases(
		"no doubt", "no matter", "no less", "no more than", "no wonder", "no other than", "no .",
		"not only", "not just", "not merely", "not least", "not to mention", "not until", "not far",
		"without doubt", "without a doubt", "never mind", "can ' t wait", "don ' t miss",
	)
	// missing deny what stands before them, from where the clause begins.
	missing = phrases(
		"is not available", "are not available", "is not included", "are not included", "is not provided",
		"are not provided", "is not allowed", "are not allowed", "is not permitted", "are not permitted",
		"not included", "not available", "not allowed", "is missing", "are missing", "is absent", "are absent",
		"unavailable", "is not present", "are not present", "is not possible",
	)
	// freed deny the word before them: nut-free.
	freed = phrases("- free", "- less")
	// turns end a clause, like punctuation.
	turns = set("but", "however", "although", "though", "yet", "because", "since", "while", "when",
		"until", "so", "if", "only", "just", "then")
	// joints go on with what is denied, as in no lift and no balcony, unless one of
	// beginnings follows, as in no lift and a garden.
	joints     = set("and", "or")
	beginnings = set("a", "an", "the", "is", "are", "was", "were", "has", "have", "had", "with", "it",
		"its", "he", "she", "they", "there", "this", "that", "i", "we", "you")
)

// reach is how many words a denial reaches at most: further than that its clause has
// ended, whatever stands there.
const reach = 8
