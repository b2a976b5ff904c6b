package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/progress"
)

// study is one question asked of several sets and encoders.
type study struct {
	sets, encoders   []string
	split, format    string
	documents, every int
	seed             uint64
	quiet            bool
}

func (s *study) add(f *pflag.FlagSet) {
	f.StringArrayVar(&s.sets, "set", nil, "demo, or the folder of a set; may be given several times")
	f.StringVar(&s.split, "split", "dev", "which of their queries")
	f.StringArrayVar(&s.encoders, "encoder", []string{"builtin"}, "builtin, a model's name, onnx:DIR, ollama:MODEL, openai:MODEL …; may be given several times")
	f.IntVar(&s.documents, "documents", 0, "take the first N documents of each set and judge among them; 0: all")
	f.IntVar(&s.every, "every", 0, "take every N-th query; 0: all")
	f.StringVar(&s.format, "format", "text", "text, markdown, latex or csv")
	f.Uint64Var(&s.seed, "seed", 1, "of the resampling")
	f.BoolVar(&s.quiet, "quiet", false, "show no progress")
}

// run fills a column for each set and encoder, and has the table written.
func (s *study) run(cmd *cobra.Command, ways []lab.Passages, fill func(set *sets.Set, corpus *lab.Corpus, column *report.Column) error, write func(report.Study, report.Format) error) error {
	format, err := report.ParseFormat(s.format)
	if err != nil {
		return usageError{err}
	}
	if len(s.sets) == 0 {
		return usageError{fmt.Errorf("no set is named: give folders with --set DIR, or try --set demo")}
	}
	out := report.Study{Command: "nsfl " + strings.Join(s.words(cmd), " "), Options: report.Options{Seed: s.seed}}
	for _, name := range s.sets {
		if err := s.measure(cmd, name, ways, fill, &out); err != nil {
			return err
		}
	}
	return write(out, format)
}

// measure fills the columns of one set.
func (s *study) measure(cmd *cobra.Command, name string, ways []lab.Passages, fill func(*sets.Set, *lab.Corpus, *report.Column) error, out *report.Study) error {
	set, _, closeSet, err := openSet(name, s.split)
	if err != nil {
		return err
	}
	defer closeSet()
	if set, err = lab.Part(set, s.documents, s.every); err != nil {
		return err
	}
	for _, w := range set.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", w)
	}
	for _, word := range s.encoders {
		e := evaluation{quiet: s.quiet}
		corpus, closeCorpus, err := e.corpus(cmd, set, word, lab.Config{Passages: ways})
		if err != nil {
			return err
		}
		column := report.Column{Set: set.Name, Encoder: shortName(corpus.Encoder), Documents: len(corpus.IDs)}
		err = fill(set, corpus, &column)
		closeCorpus()
		if err != nil {
			return err
		}
		out.Columns = append(out.Columns, column)
	}
	return nil
}

// shortName is an encoder's name without its revision and what else tells it from
// its like.
func shortName(encoder string) string {
	name, _, _ := strings.Cut(encoder, " (")
	name, _, _ = strings.Cut(name, "@")
	return name
}

// words is the command line, for the report.
func (s *study) words(cmd *cobra.Command) []string {
	words := strings.Fields(cmd.CommandPath())[1:]
	for _, set := range s.sets {
		words = append(words, "--set", filepath.Base(set))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "set", "quiet", "format":
		case "encoder":
			for _, e := range s.encoders {
				words = append(words, "--encoder", e)
			}
		default:
			words = append(words, "--"+f.Name, strings.Trim(f.Value.String(), "[]"))
		}
	})
	return words
}

// ranking shows the progress of rankings; done is to be called after the last.
func (s *study) ranking(cmd *cobra.Command) (told func(done, total int), done func()) {
	var bar *progress.Bar
	var once sync.Once
	told = func(done, total int) {
		once.Do(func() { bar = newBar(cmd, "ranking", int64(total), progress.Items("rankings"), s.quiet) })
		bar.Set(int64(done))
	}
	return told, func() {
		if bar != nil {
			bar.Done("")
		}
	}
}
