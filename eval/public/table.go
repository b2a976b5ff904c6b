package public

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/eval/sets"
)

// Benchmark is a set that others publish.
type Benchmark struct {
	Name    string   `json:"name"`
	About   string   `json:"about"`
	Page    string   `json:"page"`    // where its authors tell of it
	Licence string   `json:"licence"` // as they state it
	Split   string   `json:"split"`   // the one that is measured
	Sources []Source `json:"sources"`

	manual string // how a person gets it, where no program can
	open   func(dir, split string) (*sets.Set, error)
}

// Source is one file that the authors publish.
type Source struct {
	URL   string   `json:"url,omitempty"` // empty: none that a program could fetch it from is known
	Files []string `json:"files"`         // what it becomes: one file, or those that are taken from an archive

	limit int64 // the most bytes that it and each of its files may have; 0: usualLimit
}

// usualLimit is several times what the largest of the files has that have no other.
const usualLimit = 256 << 20

// Title is what the authors call the file.
func (s Source) Title() string {
	if s.URL == "" {
		return s.Files[0]
	}
	return path.Base(s.URL)
}

func (s Source) packed() bool { return strings.HasSuffix(s.Title(), ".zip") }

func (s Source) most() int64 { return cmp.Or(s.limit, usualLimit) }

const (
	limitFull  = "https://huggingface.co/datasets/orionweller/LIMIT/resolve/215834026c13176e520b3bc9d0a055099537ef99/"
	limitSmall = "https://raw.githubusercontent.com/google-deepmind/limit/main/data/limit-small/"
	limitPlus  = "https://raw.githubusercontent.com/informagi/Complex-Set-Compositional-IR/0a4105a328474d4a4c58b8e4fc613ec05c59fc22/code/data_generation_utils/limit_plus/limit_data/"
	quest      = "https://storage.googleapis.com/gresearch/quest/"
	nevir      = "https://huggingface.co/datasets/orionweller/NevIR/resolve/6263585072ce3b435ed09658613553fbf4e74184/"
	nsir       = "https://raw.githubusercontent.com/xgl-git/NS-IR-main/HEAD/"
)

// benchmarks are all that are known, in the order of their names.
var benchmarks = []Benchmark{
	{
		Name:    "excluir",
		About:   "ExcluIR: 3,452 questions in plain language that exclude a document",
		Page:    "https://github.com/zwh-sdu/ExcluIR",
		Licence: "none is stated by the authors",
		Split:   "test",
		Sources: []Source{{Files: []string{"corpus.json"}}, {Files: []string{"test_manual_final.json"}}},
		manual:  "its authors publish it in a folder of Google Drive, to which their page leads and which only a person can open",
		open:    sets.OpenExcluIR,
	},
	{
		Name:    "limit",
		About:   "LIMIT: 1,000 questions of the form who likes X, 50,000 documents",
		Page:    "https://github.com/google-deepmind/limit",
		Licence: "CC BY 4.0",
		Split:   "test",
		Sources: []Source{one(limitFull, "corpus.jsonl"), one(limitFull, "queries.jsonl"), one(limitFull, "qrels.jsonl")},
		open:    sets.OpenBEIR,
	},
	{
		Name:    "limit-plus",
		About:   "LIMIT+: 700 questions of QUEST's templates over LIMIT's 50,000 documents",
		Page:    "https://github.com/informagi/Complex-Set-Compositional-IR",
		Licence: "of the questions none is stated by the authors; LIMIT's documents: CC BY 4.0",
		Split:   "test",
		Sources: []Source{
			{URL: limitFull + "corpus.jsonl", Files: []string{"documents.jsonl"}},
			{URL: limitPlus + "limit_quest_queries.jsonl", Files: []string{"test.jsonl"}},
		},
		open: sets.OpenQUEST,
	},
	{
		Name:    "limit-small",
		About:   "LIMIT with the 46 documents that are relevant to a question",
		Page:    "https://github.com/google-deepmind/limit",
		Licence: "CC BY 4.0",
		Split:   "test",
		Sources: []Source{one(limitSmall, "corpus.jsonl"), one(limitSmall, "queries.jsonl"), one(limitSmall, "qrels.jsonl")},
		open:    sets.OpenBEIR,
	},
	{
		Name:    "negconstraint",
		About:   "NegConstraint: 366 questions in plain language with negative constraints",
		Page:    "https://github.com/xgl-git/NS-IR-main",
		Licence: "none is stated by the authors",
		Split:   "test",
		Sources: []Source{{URL: nsir + "NegConstraint.zip", Files: []string{"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}}},
		open:    sets.OpenBEIR,
	},
	{
		Name:    "nevir",
		About:   "NevIR: 2,556 pairs of documents that differ in a negation",
		Page:    "https://huggingface.co/datasets/orionweller/NevIR",
		Licence: "MIT",
		Split:   "test",
		Sources: []Source{one(nevir, "train.jsonl"), one(nevir, "validation.jsonl"), one(nevir, "test.jsonl")},
		open:    sets.OpenNevIR,
	},
	{
		Name:    "quest",
		About:   "QUEST: queries with implicit set operations over Wikipedia; 0.9 GB when unpacked",
		Page:    "https://github.com/google-research/language/tree/master/language/quest",
		Licence: "Apache 2.0",
		Split:   "test",
		Sources: []Source{
			one(quest, "train.jsonl"), one(quest, "val.jsonl"), one(quest, "test.jsonl"),
			{URL: quest + "documents.zip", Files: []string{"documents.jsonl"}, limit: 2 << 30},
		},
		open: sets.OpenQUEST,
	},
}

// one is a file that keeps its name.
func one(base, name string) Source { return Source{URL: base + name, Files: []string{name}} }

// All are the benchmarks that are known, in the order of their names.
func All() []Benchmark { return slices.Clone(benchmarks) }

// ByName is the benchmark of a name.
func ByName(name string) (Benchmark, error) {
	var names []string
	for _, b := range benchmarks {
		if b.Name == strings.ToLower(name) {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return Benchmark{}, fmt.Errorf("%q is no benchmark that is known; there are %s", name, strings.Join(names, ", "))
}
