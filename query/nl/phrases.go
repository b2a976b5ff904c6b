package nl

// cue is a set of phrases that add or exclude the object after them.
type cue struct {
	patterns []pattern
	excludes bool
	// opens restricts the cue to the beginning of a clause: after punctuation, "and" or "but",
	// or at the start of the sentence.
	opens bool
	// weak marks a cue that may begin a title: no country for old men.
	weak bool
	// near assigns a place or purpose after the object to the wanted part: a hotel without
	// breakfast near the station.
	near bool
	// asks allows the cue in questions.
	asks bool
	// whole marks a negated verb, whose object may be a clause: that isn't heavy.
	whole bool
}

// cues are all tried; the longest match wins, the first of equals.
var cues = []cue{
	{excludes: true, near: true, weak: true, asks: true, patterns: patterns(
		"BUT? without", "BUT? without HAS", "BUT? without TALK to|on|about|into?", "BUT? sans",
		"BUT? with|has|have|having|contains|containing no|zero")},
	{excludes: true, asks: true, weak: true, patterns: patterns(
		"BUT? excluding", "BUT? except|excepting for?", "BUT? except|but if|when it|they is|are", "BUT? other than", "BUT? apart|aside from",
		"BUT? besides", "anything|everything but", "anything|everything|all except|besides for?", "anything|everything|all other|apart|aside than|from", "BUT? rather than", "BUT? instead of", "BUT? as opposed to", "BUT? OMITS TALK? to|on|about|into?", "BUT? leaving|setting out|aside", "BUT? with the exception|exclusion of", "BUT? save for", "BUT? exclusive of", "free of", "REL LACK", "REL leave|leaves out", "BUT? please? refrain from HAS?",
		"minus", "BUT? not specifically? including|containing|featuring|showing|involving|mentioning|counting|considering|covering|discussing|using|about|concerning|regarding",
		"BUT? not related|relating|connected|limited to", "BUT? nothing about|with|on|to|by|from|like", "BUT? nothing to do with",
		"BUT? with|without|make|makes|making? no|any|a mention|mentions|reference|references|talk of|to", "but|and|yet not|never", "but|and|yet not about|by|from|with|for",
		"but|and|yet no|nothing|none", "but|and|yet? neither", "with neither")},
	{excludes: true, opens: true, weak: true, patterns: patterns(
		"BUT? not", "BUT? not about|by|from|with", "BUT? not interested|keen|looking in|on|for", "BUT? no", "BUT? never", "BUT? nothing", "BUT? none of?", "BUT? no need for")},
	{excludes: true, opens: true, weak: true, asks: true, patterns: patterns(
		"BUT? please? OMIT TALK? to|on|about|into?", "BUT? please? leave|filter|keep|cut out|aside|off", "BUT? please? stay|keep away from", "BUT? please? steer clear of", "BUT? please? forget about?")},
	{excludes: true, opens: true, asks: true, patterns: patterns(
		"BUT? please? do not include|show|mention|give|list|return|bring|send|suggest|recommend|want|need me|us? about?",
		"BUT? i|we do|did|would|can not want|like|need|care|eat|enjoy|stand|mean about|for? to? see|read|hear|know? about?",
		"BUT? i|we am|are not interested|looking|keen|fond in|for|on|of", "BUT? i|we am|are not a fan of", "BUT? i|we hate|dislike|detest|mind", "BUT? please no|not")},
	{excludes: true, whole: true, asks: true, patterns: patterns(
		"BUT? REL? AUX not|never be?", "BUT? REL AUX not|never HAS", "BUT? AUX not|never HAS", "BUT? REL|and|but? AUX not|never be? about|from|by|talk|deal|refer|focus|come|depend|rely|related|relating about|with|to|on?",
		"REL|and|but HAS no|nothing|zero", "REL|and|but HAS nothing to do with", "where|with there is|are no|not|never any?", "in which there is|are no|not any?",
		"REL|and|but? AUX neither", "REL never HAS?", "as long as it|they is|are not", "unless it|they is|are", "BUT? PRO AUX not|never be?", "BUT? PRO AUX not|never HAS")},
	{asks: true, patterns: patterns(
		"REL AUX also both?", "REL also AUX both?", "REL AUX both", "REL also HAS|AUX?", "and|but also", "as well as", "in addition to", "together|along|combined with",
		"REL NAMES both?", "mentioning both?", "PRO should|must|has|have|needs|need to? HAS|be?")},
}

// more matches phrases that end an exclusion and add to the wanted parts.
var more = patterns("but|and with", "but|and REL? HAS", "but|and comes with", "but just|only?", "just|only", "but|and REL? AUX", "but|and please? do include|show")

// requests ask for results and name nothing in them. Polite ones cannot be part of a title.
var (
	requests = patterns(
		"FIND me|us all?", "FIND all", "SHOW", "FIND me|us about|on", "FIND me|us everything|something|anything|all|what you have|know|got? about|on|of|for", "look|looking|searching|search|hunting for", "need|want|wanted",
		"i|we want|need|like|love|prefer|enjoy|meant|mean|would prefer?", "i|we am|are interested in", "i|we need|want|have to see|find|know|read|learn|watch|buy|understand about?", "learn|know about",
		"what do|have you have|got on|about")
	polite = patterns(
		"please", "please|kindly FIND me|us? all?", "HELLO there|all|everyone?", "kindly", "thanks in advance", "thank you", "would you mind finding|showing|listing|telling|giving me|us? about?", "could|can you help me|us? find?", "please? help me|us with|find?", "could|can|would|will you|u please|kindly? FIND me|us? about|for? all?", "could|can|would|will you|u please|kindly? provide me|us? with?",
		"i|we am|are looking|searching|hunting|trying for|to? find?", "what i|we am|are looking|searching for is|are", "what i|we want|need is|are", "i|we would be grateful|happy for", "i|we am|are curious about", "i|we am|are after", "i|we wonder|wondered if|whether there is|are any?", "i|we would like|love to? see|find|know|read|learn|have|get|watch|buy|understand? out? about?",
		"do you have|know of|about? any|some?", "is there anything about|on", "it would be great|nice|good|lovely to see|have|find|read|get", "any chance you have|know|got of?", "is there any chance you have|know of?")
	// thanks may end a sentence.
	thanks = newPattern("END you|a|so|very|in? lot|much|advance? for? your|the? help?")
	// greetings may be sentences of their own.
	greetings = patterns("HELLO there|all|everyone?", "thank you", "thanks in advance", "good morning|evening|afternoon|day")
	// of and holds match containers, which fit any result: photos of, pages that mention.
	of    = newPattern("ART? ALL|THING|PAPER of|about|on|for|concerning|regarding|related to?")
	holds = patterns("ART? ALL|THING|PAPER with|showing|containing|mentioning|featuring|depicting", "ART? ALL|THING|PAPER REL NAMES|have|has", "ART? ALL|THING|PAPER REL? deal|deals|dealing with", "ART? ALL|THING|PAPER REL? talk|talks|talking|speak|speaks about|of", "ART? THING of")
	// everything matches a container with nothing in it.
	everything = newPattern("ART? ALL|THING|PAPER else|that?")
	// empty matches words before an excluded object that name nothing.
	empty = patterns("ART? ALL|THING|PAPER|ABOUT|those|ones|one|any about|with|of|to|by|from|like|on|containing|showing|featuring|HAS",
		"ART? ALL|those|ones|one|any|THING REL AUX", "those", "the|any ones|one about|with|of|by|from|REL AUX?", "anything related|to to? do? with?", "ART", "too? much of")
	// tail matches words after an excluded object that name nothing.
	tail = patterns("ones", "one", "in|on|of? it|them", "at all", "either", "though", "if possible", "END you? very? much?", "anymore", "for me", "stuff", "things")
)
