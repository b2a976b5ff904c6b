package indexing

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// describe adds the name of its file to a document's metadata and, if the file is that one
// document, the fields path, folder, type, language and modified. Fields of the document's own stay.
func describe(d *engine.Document, s *ingest.Source) (err error) {
	if d.ID == s.Name && s.Path != ingest.StandardInput {
		fields := map[string]any{"path": s.Name, "type": typeOf(s.Name)}
		if folders := foldersOf(s.Name); folders != nil {
			fields["folder"] = folders
		}
		if language := languageOf(d.Text); language != "" {
			fields["language"] = language
		}
		if !s.Modified.IsZero() {
			fields["modified"] = s.Modified.UTC().Format(time.DateOnly)
		}
		if len(d.Metadata) > 0 {
			var own map[string]json.RawMessage
			if err := json.Unmarshal(d.Metadata, &own); err != nil {
				return err
			}
			for name, value := range own {
				fields[name] = value
			}
		}
		if d.Metadata, err = json.Marshal(fields); err != nil {
			return err
		}
	}
	d.Metadata, err = workspace.WithFile(d.Metadata, s.Name)
	return err
}

// foldersOf returns the folder of a file and all folders above it, so folder:man also finds
// files in man/man2.
func foldersOf(name string) (folders []string) {
	for dir := path.Dir(strings.Trim(name, "/")); dir != "."; dir = path.Dir(dir) {
		folders = append([]string{dir}, folders...)
	}
	return folders
}

// typeOf returns the type of a file by its extension, such as pdf or md, or text for names
// without one. Documents of manual pages have a type of their own.
func typeOf(name string) string {
	return cmp.Or(strings.TrimPrefix(ingest.TypeOf(name), "."), "text")
}

// functionWords lists frequent words of languages in the Latin and Cyrillic scripts, by the
// language's ISO 639-1 code. They are a fifth or more of any longer text.
var functionWords = wordsOf(map[string]string{
	"cs": "a se na je že v do s z o pro jako jsou nebo ale by jeho také při podle",
	"da": "og i at det er en til på som med de af for ikke der har et den også eller",
	"de": "der die das und ist nicht ein eine mit von zu auf den dem im für sich werden oder auch",
	"en": "the of and to in is that for with are this not be as by or it from an on",
	"es": "el la de que y en los las un una por con para es se no del como más o",
	"fi": "ja on ei se että oli joka ovat kuin mutta tai myös sekä hän ole voi niin kun jos sen",
	"fr": "le la les de des et est un une dans pour que qui sur pas par avec du au ce",
	"it": "il di che e la un una per non con sono del della si le gli nel anche come o",
	"nl": "de het een van en in is dat niet op te zijn met voor aan door ook of worden bij",
	"no": "og i det er på som en å for av med til at ikke har de den et også eller",
	"pl": "i w na się nie z do że jest to jak o ale przez po lub są dla tego oraz",
	"pt": "o a de que e do da em um uma para com não os as no na por mais se",
	"ru": "и в не на что с по как это для от из к но или его все при был также",
	"sv": "och i att det är en på som för med av till inte har de den ett om eller också",
	"tr": "ve bir bu için ile de da olarak olan ne gibi daha çok en var değil ancak veya sonra kadar",
	"uk": "і в не на що з та як це для від до але або його у за є який також",
})

// scripts maps scripts that belong to one language, or mostly to one.
var scripts = []struct {
	table *unicode.RangeTable
	code  string
}{
	{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"}, {unicode.Greek, "el"},
	{unicode.Hebrew, "he"}, {unicode.Arabic, "ar"}, {unicode.Thai, "th"}, {unicode.Devanagari, "hi"},
}

func wordsOf(lists map[string]string) map[string][]string {
	languages := map[string][]string{}
	for code, list := range lists {
		for _, w := range strings.Fields(list) {
			languages[w] = append(languages[w], code)
		}
	}
	return languages
}

// languageOf returns the ISO 639-1 code of the language that a text is written in, or an empty
// string if it is short, mixed or in a language that is not known here.
func languageOf(text string) string {
	const looked, least = 8000, 20 // bytes, words
	text = text[:min(looked, len(text))]
	count := map[string]int{}
	letters := 0
	for _, r := range text {
		if r >= utf8.RuneSelf && unicode.IsLetter(r) {
			letters++
			for _, s := range scripts {
				if unicode.Is(s.table, r) {
					count[s.code]++
				}
			}
		}
	}
	for _, s := range scripts { // kana before the Han characters of a Japanese text
		if 10*count[s.code] > letters && 20*count[s.code] > len(text)/utf8.UTFMax {
			return s.code
		}
	}
	clear(count)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		for _, code := range functionWords[w] {
			count[code]++
		}
	}
	best, second := "", 0
	for code, n := range count {
		switch {
		case n > count[best]:
			best, second = code, count[best]
		case n > second:
			second = n
		}
	}
	if n := count[best]; len(words) < least || 8*n < len(words) || 5*n < 6*second {
		return ""
	}
	return best
}
