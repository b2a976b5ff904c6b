package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/demo"
	"github.com/nsfl-go/nsfl/doc"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/cache"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/termsafe"
	"github.com/nsfl-go/nsfl/profile"
)

// setFlags select sets and encoders.
type setFlags struct {
	sets, encoders []string
	split, vectors string // vectors are a folder of frozen ones
	seed           uint64
	profile        *profile.Profile // nil for the encoder's own
}

// add adds the flags that all evaluation commands have.
func (s *setFlags) add(f *pflag.FlagSet) {
	f.StringArrayVar(&s.sets, "set", nil, "the set in `DIR`, or a built-in one: demo, or manual for eval known; may be repeated")
	f.StringVar(&s.split, "split", "dev", "which queries of the set")
	f.Uint64Var(&s.seed, "seed", 1, "seed of the resampling")
	addQuiet(f)
}

// addEncoders adds the flag that selects encoders.
func (s *setFlags) addEncoders(f *pflag.FlagSet) {
	f.StringArrayVar(&s.encoders, "encoder", nil, encoderHelp+"; may be repeated")
}

// addComparison adds the flags of commands that compare a profile with other methods.
func (s *setFlags) addComparison(f *pflag.FlagSet) {
	s.add(f)
	s.addEncoders(f)
	addProfile(f, &s.profile, "profile", profileHelp+"; default: the encoder's own")
}

// profileFor returns the profile to search a corpus with.
func (s *setFlags) profileFor(corpus *lab.Corpus) *profile.Profile {
	return cmp.Or(s.profile, profile.For(corpus.EncoderName()))
}

// check returns an error if there is nothing to measure.
func (s *setFlags) check() error {
	switch {
	case len(s.sets) == 0:
		return usageError{errors.New("no set is named: use --set DIR, or try --set demo")}
	case s.vectors != "" && len(s.encoders) > 0:
		return usageError{errors.New("--vectors replaces --encoder; use only one of them")}
	}
	return nil
}

// each opens and encodes every set with every encoder, and calls measure. The name
// distinguishes the combinations; it is empty if there is only one.
func (s *setFlags) each(cmd *cobra.Command, ways []lab.Passages, measure func(name string, set *sets.Set, corpus *lab.Corpus) error) error {
	if err := s.check(); err != nil {
		return err
	}
	encoders := s.encoders
	if len(encoders) == 0 {
		encoders = []string{""}
	}
	for _, path := range s.sets {
		set, closeSet, err := s.open(cmd, path)
		if err != nil {
			return err
		}
		defer closeSet()
		for _, word := range encoders {
			var name []string
			if len(s.sets) > 1 {
				name = append(name, set.Name)
			}
			if len(encoders) > 1 {
				name = append(name, word)
			}
			corpus, closeCorpus, err := s.corpus(cmd, set, word, ways)
			if err != nil {
				return err
			}
			err = measure(strings.Join(name, "-"), set, corpus)
			closeCorpus()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// builtinSets write the sets that are part of the program.
var builtinSets = map[string]func(dir string) error{
	"demo":   func(dir string) error { return os.CopyFS(dir, demo.Files()) },
	"manual": doc.WriteKnown,
}

// open opens a set of any format and prints its warnings.
func (s *setFlags) open(cmd *cobra.Command, dir string) (set *sets.Set, closing func(), err error) {
	closing = func() {}
	if write := builtinSets[dir]; write != nil {
		temporary, err := os.MkdirTemp("", "nsfl-set-")
		if err != nil {
			return nil, nil, err
		}
		closing = func() { _ = os.RemoveAll(temporary) }
		dir = filepath.Join(temporary, dir)
		if err = os.Mkdir(dir, 0o700); err == nil {
			err = write(dir)
		}
		if err != nil {
			closing()
			return nil, nil, err
		}
	}
	if set, err = openKind(dir, s.split); err != nil {
		closing()
		return nil, nil, err
	}
	for _, w := range set.Warnings {
		fmt.Fprintln(termsafe.Writer(cmd.ErrOrStderr()), "warning:", w)
	}
	return set, closing, nil
}

// openKind opens a set; its files show the format.
func openKind(dir, split string) (*sets.Set, error) {
	has := func(name string) bool {
		_, plain := os.Stat(filepath.Join(dir, name))
		_, zipped := os.Stat(filepath.Join(dir, name+".gz"))
		return plain == nil || zipped == nil
	}
	switch {
	case has("documents.jsonl"):
		set, err := sets.OpenQUEST(dir, split)
		if err != nil {
			return nil, err
		}
		// The paper's tables have the six templates of logic.
		set.Queries = slices.DeleteFunc(set.Queries, func(q sets.Query) bool { return q.Template == sets.Single })
		return set, nil
	case has("queries.jsonl") && (has("qrels") || has("qrels.jsonl")):
		return sets.OpenBEIR(dir, split)
	case has("corpus.jsonl") && sets.IsKnown(dir, split):
		return sets.OpenKnown(dir, split)
	case has("corpus.jsonl"):
		return sets.OpenLogic(dir, split)
	}
	return nil, fmt.Errorf("%s is not a set: there is neither corpus.jsonl nor documents.jsonl in it", dir)
}

// corpus returns the vectors of a set's documents, for some ways of comparing them.
func (s *setFlags) corpus(cmd *cobra.Command, set *sets.Set, word string, ways []lab.Passages) (*lab.Corpus, func(), error) {
	if s.vectors != "" {
		c, err := lab.Frozen(s.vectors, set)
		return c, func() {}, err
	}
	chosen, err := named.Open(cmd.Context(), word)
	if err != nil {
		return nil, nil, err
	}
	e, closing := cached(chosen)
	c, err := encoded(cmd, e, set, ways)
	if err != nil {
		closing()
		return nil, nil, err
	}
	return c, closing, nil
}

// cached returns an encoder that caches vectors on disk: an interrupted run continues where
// it stopped. Only one process at a time has the cache.
func cached(chosen *named.Encoder) (encoder.Encoder, func()) {
	if dir := named.CacheDir(); dir != "" {
		if e, err := cache.Open(chosen.Encoder, filepath.Join(dir, "eval")); err == nil {
			return e, func() { _ = e.Close(); _ = chosen.Close() }
		}
	}
	return chosen.Encoder, func() { _ = chosen.Close() }
}

// encoded encodes the documents of a set, and shows progress.
func encoded(cmd *cobra.Command, e encoder.Encoder, set *sets.Set, ways []lab.Passages) (*lab.Corpus, error) {
	bar := newBar(cmd, "encoding "+set.Name, 0, "documents")
	defer bar.Done("")
	return lab.Encode(cmd.Context(), e, set, ways, func(n int) { bar.Set(int64(n)) })
}

// ranked ranks the documents of a set, and shows progress.
func ranked(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus, c lab.Config) ([]lab.Outcome, error) {
	total := len(set.Queries) * len(c.Methods) * len(c.Fusions) * len(c.Passages)
	bar := newBar(cmd, "ranking", int64(total), "rankings")
	defer bar.Done("")
	c.Progress = func(rankings int) { bar.Set(int64(rankings)) }
	return lab.Run(cmd.Context(), set, corpus, c)
}

// meta describes the origin of a report.
func meta(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus) report.Meta {
	return report.Meta{
		Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Documents: len(corpus.IDs), Queries: len(set.Queries), Command: commandOf(cmd),
	}
}

// commandOf returns the command line for a report, without paths of this machine and output
// files.
func commandOf(cmd *cobra.Command) string {
	words := []string{cmd.CommandPath()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{strings.Trim(f.Value.String(), "[]")}
		switch f.Name {
		case "json", "run", "output", "quiet":
			return
		case "set", "encoder", "vectors":
			if list, ok := f.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
			}
		}
		if f.Value.Type() == "bool" {
			words = append(words, "--"+f.Name)
			return
		}
		for _, value := range values {
			if f.Name == "set" || f.Name == "vectors" {
				value = filepath.Base(value)
			}
			words = append(words, "--"+f.Name, value)
		}
	})
	return strings.Join(words, " ")
}
