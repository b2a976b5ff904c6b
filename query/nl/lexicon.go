package nl

import (
	"slices"
	"strings"
)

// classes are the word classes that patterns and rules name.
var classes = map[string]string{
	"DET": "a an the any some all every each this that these those my our your his her its their no",
	"ART": "a an the any some all",
	"AUX": "is are was were be been am do does did has have had can could will would should must may might",
	"REL": "that which who",
	"PRO": "it they he she this these those",
	"PREP": "about above across after against along among around as at before behind below beside between beyond by during for from in inside " +
		"into like near of off on onto outside over per regarding concerning since through to toward towards under until up upon via with within without " +
		"using featuring starring containing mentioning involving showing depicting",
	"ASK":   "what which who whom whose where when why how",
	"THING": "photos photo photographs photograph pictures picture images image pics pic snapshots shots",
	"PAPER": "documents document docs results result texts text files file pages page entries entry items passages articles article chapters chapter sections section paragraphs paragraph information info material",
	"ALL":   "anything everything something things stuff all",
	"FIND":  "find show give get list tell recommend suggest explain describe bring fetch send provide search look name help write share compile prepare",
	"SHOW":  "find show tell recommend suggest explain describe search",
	"HAS": "have has had having include includes including contain contains containing show shows showing involve involves involving " +
		"mention mentions mentioning feature features featuring discuss discusses discussing cover covers covering use uses using " +
		"require requires requiring need needs needing offer offers depict depicts",
	"NAMES":    "include includes contain contains mention mentions show shows feature features discuss discusses depict depicts",
	"BUT":      "but and yet though just only while",
	"OMIT":     "avoid skip omit exclude ignore drop remove hide",
	"LACK":     "avoid avoids skip skips omit omits exclude excludes ignore ignores lack lacks",
	"OMITS":    "avoiding skipping omitting excluding ignoring disregarding lacking excepting barring",
	"ABOUT":    "details detail info information facts discussion coverage mention mentions reference references talk use parts part topic topics",
	"DOES":     "speaks speak costs cost works work runs run fits fit tastes taste looks look lives live plays play supports support lets let makes make gives give keeps keep lasts last",
	"RATHER":   "preferably ideally maybe especially mainly mostly perhaps",
	"HELLO":    "hi hello hey heya hiya thanks cheers",
	"NUM":      "one two three four five six seven eight nine 1 2 3 4 5 6 7 8 9",
	"ME":       "i we my our you",
	"WHEN":     "if when because",
	"MANNER":   "happens is would if does do",
	"AGAINST":  "a an the from by about",
	"TOPIC":    "about on of regarding concerning",
	"DENY":     "without except excluding not no never nor",
	"END":      "please thanks thank thx cheers pls plz",
	"POSS":     "my our your his her its their",
	"SELF":     "itself himself herself themselves",
	"EMPTY":    "someone anyone somebody anybody one ones it them him her us me we they something anything thing things way ways",
	"NEED":     "need needs needing require requires requiring use uses using",
	"TALK":     "mentioning referencing referring discussing considering focusing touching talking going covering describing addressing including",
	"CONTRAST": "rather instead opposed",
	"PARTICLE": "out up off down away back through into at after",
	"ASPECT": "role roles use uses involvement detail details discussion discussions description descriptions impact impacts influence influences " +
		"effect effects relationship connection association status identity participation contribution contributions portrayal aspect aspects specifics figure concept concepts example examples definition definitions",
	"LEADS": "via to with in on at over by from through for using inside within during of about",
	"SIGN":  "operator sign symbol infinity",
	"ALSO":  "additionally also furthermore moreover and",
	"LEAVE": "leave leaving filter keep cut setting",
	"TO":    "to",
	"CIRCUMSTANCE": "case network internet connection root sudo admin rights privileges permission permissions password passwords login reboot restart help success " +
		"error errors warning warnings effort delay loss prompt confirmation access reason notice interruption interruptions downtime money experience supervision " +
		"problem problems trouble difficulty risk pain electricity power gui mouse keyboard monitor display screen registration installation compiling copying waiting",
	"VERB": "add apply attach bake boot browse build change check choose clean clone combine compare compile compress configure connect convert cook copy create " +
		"debug decode decrypt delete deploy detect disable download draw edit enable encode encrypt erase export extract fetch fix format generate get grow handle " +
		"implement import improve insert inspect install join kill launch learn list load lock make manage measure merge migrate modify mount move open parse " +
		"prevent print protect prune read rebuild recover reduce reinstall reload remove rename render repair replace reset resize resolve restart restore resume " +
		"retrieve revert rotate run save scan schedule search select send serve set share shrink sign solve sort split start stop submit sync synchronise " +
		"synchronize throw track transfer translate trim undo uninstall unlock unpack update upgrade upload use validate verify wash watch wrap write",
}

// has reports whether any of the words is in a class.
func has(words []word, class string) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.in(class) })
}

// in reports whether w is in a class.
func (w word) in(class string) bool { return w.is != "" && members[class][w.is] }

var members = func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for name, words := range classes {
		out[name] = set(words)
	}
	return out
}()

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// idioms are phrases in which and, or, not and without are not operators.
var idioms = patterns(
	"black and white", "rock and roll", "rhythm and blues", "drum and bass", "country and western",
	"salt and pepper", "bread and butter", "mac|macaroni and cheese", "fish and chips", "peanut butter and jelly", "oil and vinegar",
	"bed and breakfast", "arts and crafts", "hide and seek", "research and development", "science and technology", "health and safety",
	"terms and conditions", "law and order", "crime and punishment", "war and peace", "pride and prejudice", "beauty and the beast",
	"trial and error", "pros and cons", "supply and demand", "questions and answers", "drag and drop", "back and forth", "up and down",
	"in and out", "over and over", "again and again", "now and then", "cause and effect", "mergers and acquisitions", "profit and loss",
	"cut and paste", "copy and paste", "ups and downs", "dos and do not", "nuts and bolts", "wear and tear", "search and replace", "read and write",
	"more or less", "sooner or later", "whether or not", "to be or not to be", "trick or treat", "truth or dare", "life or death", "make or break",
	"all or nothing", "one or two", "two or three", "double or nothing", "dead or alive", "do or die", "now or never", "yes or no", "yes and no",
	"true or false", "right or wrong", "plus or minus", "or so", "or something", "or later", "or earlier", "or more", "or less", "or not",
	"without a doubt", "with or without", "without end", "without a cause", "without a trace", "without fail", "without parole", "without further ado",
	"not only", "not just", "not necessarily", "not yet", "not least", "why not", "if not", "no one", "no longer", "no matter", "no doubt", "no time", "no problem", "last but not least",
	"not for profit", "not null", "not found", "nothing but", "none of the above", "nothing at all", "no more", "free of charge", "free from",
)

// adjectives can share a noun: red or blue cars.
var adjectives = set("red blue green yellow black white brown grey gray pink purple orange golden silver dark light big small large little tiny huge " +
	"tall short long wide narrow thick thin old new young ancient modern classic vintage used cheap expensive free hot cold warm cool wet dry fresh frozen raw cooked " +
	"good bad best worst easy hard soft simple complex fast slow quick loud quiet happy sad funny scary sweet sour bitter spicy salty healthy fat heavy strong weak " +
	"rich poor early late full empty open closed public private local global national foreign domestic wild tame male female human digital analog electric " +
	"wooden woollen plastic metal domestic left right upper lower indoor outdoor online offline remote live dead real fake wireless wired vegan vegetarian organic medical legal")

func isAdjective(w word) bool {
	return adjectives[w.is] || endsIn(w, "ic", "al", "ary", "ful", "less", "ous", "ive", "able", "ible", "ish", "ese", "proof")
}

// isAbstract guesses by the ending whether a noun names an action or quality.
func isAbstract(w word) bool {
	return endsIn(w, "tion", "sion", "ness", "ment", "ance", "ence", "ity", "ship", "ing", "age", "al")
}

// endsIn reports whether w is longer than one of the suffixes and ends in it.
func endsIn(w word, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool {
		return len(w.text) > len(suffix)+2 && strings.HasSuffix(w.folded(), suffix)
	})
}

// kinds are nouns that share a singular with the nouns before them: apple or cherry pie, unlike
// cup or wine glass.
var kinds = set("pie cake soup salad juice sauce bread tea coffee wine beer recipe restaurant shop store sonata concerto symphony music film movie novel book " +
	"song album game class course lesson training teacher player driver server backup database file format station pain disease treatment insurance law season")

// isPlural guesses by the ending whether w is a plural.
func isPlural(w word) bool {
	t := strings.ToLower(w.text)
	return len(t) > 3 && strings.HasSuffix(t, "s") && !strings.HasSuffix(t, "ss") && !strings.HasSuffix(t, "us") && !strings.HasSuffix(t, "is")
}

// participles that do not end in ed or ing.
var participles = set("made written set built shot sung born known seen given found sold grown held led paid drawn sent taken meant bought")

func isParticiple(w word) bool {
	return participles[w.is] || len(w.is) > 4 && (strings.HasSuffix(w.is, "ed") || strings.HasSuffix(w.is, "ing"))
}

// substances are nouns in ing: hotels without parking.
var substances = set("parking meeting wedding painting building clothing seasoning dressing icing pricing training advertising branding swimming filling " +
	"frosting topping stuffing ceiling lighting heating housing funding boarding wiring rounding caching tracking logging testing smoking drinking dancing singing " +
	"stretching sightseeing running hiking walking sailing climbing cycling riding plumbing flooring string spring ring king thing wing lining coating padding packaging catering camping skiing fishing hunting gambling cooking baking shipping dining living")

// apart are words that without belongs to: live without, life without.
var apart = set("live lives living survive surviving cope manage go goes going do doing done sleep sleeping breathe work works walk drive travel life world day " +
	"die leave left exist happy function")
