package ingest

import (
	"regexp"
	"strings"
)

// language describes how to find the comments, strings and declarations of a programming
// language.
type language struct {
	name    string
	line    []string // prefixes of comments that end with the line
	block   [][2]string
	quotes  []string // delimiters of strings, the longest first; a string with a one-character delimiter ends with the line at the latest
	docs    bool     // a string that is a statement is a comment
	char    bool     // ' is around single characters
	declare *regexp.Regexp
}

// Patterns of declarations: keywords before a name and, in languages like C, a type before a
// name and parentheses.
var (
	declareWords = `^\s*(?:[\w@()\[\]<>,."*&]+\s+)*?(?:class|interface|enum|record|struct|trait|object|protocol|extension|fun|fn|def|func|function|impl|mod|module|namespace|union|macro_rules!|message|service|rpc)\s+[\w$~<].*$`
	declareCalls = `^\s*(?:[\w:<>\[\],*&.?@]+\s+)+[*&]*[\w:~]+\s*\([^;=]*$`
	notDeclared  = regexp.MustCompile(`^\s*(?:\}\s*)?(?:return|if|else|elif|for|foreach|while|switch|case|throw|new|delete|goto|using|do|try|catch|assert|await|yield|import|package|require|include|let|when|match|until|unless|raise|print|echo|not|and|or|in|is|as)\b`)
)

func cLike(name string, quotes ...string) *language {
	return &language{
		name: name, line: []string{"//"}, block: [][2]string{{"/*", "*/"}}, quotes: append(quotes, `"`), char: true,
		declare: regexp.MustCompile(declareWords + "|" + declareCalls),
	}
}

func hashed(name, declare string, quotes ...string) *language {
	return &language{name: name, line: []string{"#"}, quotes: append(quotes, `"`, "'"), declare: regexp.MustCompile(declare)}
}

// withLanguages adds the formats of source code to the others, which have several extensions.
func withLanguages(others map[string]*format) map[string]*format {
	script := cLike("javascript", "'", "`")
	script.char = false
	script.declare = regexp.MustCompile(`^\s*(?:export\s+|default\s+|declare\s+|abstract\s+|async\s+)*(?:function\*?|class|interface|enum|namespace)\s+\w+.*$` +
		`|^(?:export\s+)?type\s+\w+.*$|^(?:export\s+)?(?:const|let|var)\s+\w+[^=]*=\s*(?:async\s*)?(?:function|\(|\w+\s*=>).*$` +
		`|^\s+(?:public\s+|private\s+|protected\s+|static\s+|async\s+|get\s+|set\s+|readonly\s+|override\s+)*[\w#]+\s*\([^;=]*\)[^;=]*\{\s*$`)
	typed := *script
	typed.name = "typescript"
	golang := cLike("go", "`")
	golang.declare = regexp.MustCompile(`^(?:func|type)\s+[\w(].*$`)
	python := hashed("python", `^\s*(?:async\s+)?(?:def|class)\s+\w+.*$`, `"""`, "'''")
	python.docs = true
	ruby := hashed("ruby", `^\s*(?:def|class|module)\s+\w+.*$`)
	ruby.block = [][2]string{{"\n=begin", "\n=end"}}
	php := cLike("php", "'")
	php.line, php.char = []string{"//", "#"}, false
	rust := cLike("rust")
	rust.declare = regexp.MustCompile(declareWords)
	swift, kotlin, scala := cLike("swift", `"""`), cLike("kotlin", `"""`), cLike("scala", `"""`)
	for _, l := range []*language{swift, kotlin, scala} {
		l.declare = regexp.MustCompile(declareWords)
	}
	for extensions, l := range map[string]*language{
		".go": golang, ".py .pyi": python, ".js .mjs .cjs .jsx": script, ".ts .tsx .mts": &typed, ".java": cLike("java"), ".kt .kts": kotlin,
		".c .h": cLike("c"), ".cc .cpp .cxx .hh .hpp .hxx": cLike("c++"), ".cs": cLike("c#"), ".rs": rust, ".rb": ruby, ".php": php,
		".swift": swift, ".scala": scala, ".dart": cLike("dart", "'"), ".zig": cLike("zig"), ".proto": cLike("protobuf"),
		".sh .bash .zsh": hashed("shell", `^\s*(?:function\s+[\w-]+|[\w-]+\s*\(\)).*$`),
		".pl .pm":        hashed("perl", `^\s*(?:sub|package)\s+\w+.*$`),
		".r":             hashed("r", `^\s*[\w.]+\s*(?:<-|=)\s*function.*$`),
		".ex .exs":       hashed("elixir", `^\s*(?:defmodule|defp?|defmacro|defprotocol)\s+\w+.*$`, `"""`),
		".jl":            hashed("julia", `^\s*(?:function|struct|mutable struct|module|macro)\s+\w+.*$`, `"""`),
		".lua":           {name: "lua", line: []string{"--"}, block: [][2]string{{"--[[", "]]"}}, quotes: []string{`"`, "'"}, declare: regexp.MustCompile(`^\s*(?:local\s+)?function\s+[\w.:]+.*$`)},
		".hs":            {name: "haskell", line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, quotes: []string{`"`}, char: true, declare: regexp.MustCompile(`^(?:data|newtype|class|instance|type|module)\s+\S.*$|^\w[\w']*\s*::.*$`)},
		".sql":           {name: "sql", line: []string{"--"}, block: [][2]string{{"/*", "*/"}}, quotes: []string{"'"}, declare: regexp.MustCompile(`(?i)^\s*create\s+(?:or\s+replace\s+)?(?:[\w]+\s+){0,2}(?:table|view|function|procedure|trigger|type|index)\s+.*$`)},
		".clj .cljs":     {name: "clojure", line: []string{";"}, quotes: []string{`"`}, declare: regexp.MustCompile(`^\s*\(def\w*-?\s+\S+.*$`)},
	} {
		others[extensions] = &format{whole: l.read, byPath: true}
	}
	formats := map[string]*format{}
	for extensions, f := range others {
		for extension := range strings.FieldsSeq(extensions) {
			formats[extension] = f
		}
	}
	return formats
}
