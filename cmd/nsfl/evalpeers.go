package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/peers"
	"github.com/nsfl-go/nsfl/eval/report"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/profile"
)

func evalPeersCommand() *cobra.Command {
	var e evaluation
	var folders []string
	cmd := &cobra.Command{
		Use:   "peers",
		Short: "Compare with what others do: BM25, hybrids, Boolean search of words",
		Long: `Peers ranks the documents of one or more sets by

  dense           the query as one string, one vector a document
  dense-passages  the same, documents compared by their passages too
  bm25            the words of all atoms, by BM25
  rrf, linear     dense-passages and bm25, joined by ranks and by scores
  boolean         a fuzzy formula over words: products of BM25's shares, 1 - share for NOT
  boolean-ties    the same, the dense string breaks ties
  geometric       the sum of what is wanted without what is not
  paper           the paper's calculus over all documents
  default         what nsfl search does where nobody says otherwise

All but dense compare documents by passages, with the same vectors. For each set there are
mAP@100 by template with gains and intervals over dense-passages, recall@20, and how often
the first ten results have what the query excludes; of several sets also their means.`,
		Example: `  nsfl eval peers --set demo
  nsfl eval peers --set demo --set coco --set films --format markdown`,
		Args: args(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.peers(cmd, folders) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&folders, "set", nil, "demo, or the folder of a set; several may be given")
	f.StringVar(&e.split, "split", "dev", "which of their queries")
	f.StringArrayVar(&e.encoders, "encoder", []string{""}, encoderHelp)
	f.StringVar(&e.profile, "profile", "", profileHelp+"; what the encoder ships with by default")
	f.StringVar(&e.json, "json", "", "write the figures to this file, - for standard output; one set")
	f.StringVar(&e.format, "format", "text", "text, markdown, latex or csv")
	f.Uint64Var(&e.seed, "seed", 1, "of the resampling")
	f.BoolVar(&e.quiet, "quiet", false, "show no progress")
	return cmd
}

// peers prints the tables of each set, and their means.
func (e *evaluation) peers(cmd *cobra.Command, folders []string) error {
	format, err := report.ParseFormat(e.format)
	switch {
	case err != nil:
		return usageError{err}
	case len(folders) == 0:
		return usageError{fmt.Errorf("no set is named: give one or more folders with --set DIR, or try --set demo")}
	case e.json != "" && len(folders) > 1:
		return usageError{fmt.Errorf("--json is for one set; run it for each")}
	}
	w := cmd.OutOrStdout()
	var reports []*report.Report
	for _, folder := range folders {
		r, err := e.againstPeers(cmd, folder)
		if err != nil {
			return err
		}
		reports = append(reports, r)
		if e.json != "" {
			return e.write(w, r, r.Rows[0].Outcome, "")
		}
		for _, write := range []func() error{
			func() error { return r.Overview(w, format) }, func() error { return r.Recall(w, format) }, func() error { return r.Leaks(w, format) },
		} {
			if err := write(); err != nil {
				return err
			}
			fmt.Fprintln(w)
		}
	}
	if len(reports) == 1 {
		return nil
	}
	return report.Means(w, reports, format)
}

// againstPeers measures all methods on one set.
func (e *evaluation) againstPeers(cmd *cobra.Command, folder string) (*report.Report, error) {
	set, closeSet, err := openSet(cmd, folder, e.split)
	if err != nil {
		return nil, err
	}
	defer closeSet()
	corpus, closeCorpus, err := e.corpus(cmd, set, e.encoders[0], []lab.Passages{lab.Whole, lab.WholeMax})
	if err != nil {
		return nil, err
	}
	defer closeCorpus()
	p, err := readProfile(e.profile)
	if err != nil {
		return nil, usageError{err}
	}
	if p == nil {
		p = profile.For(corpus.EncoderName)
	}
	outcomes, err := peers.Run(cmd.Context(), set, corpus, p)
	if err != nil {
		return nil, err
	}
	return report.New(e.meta(cmd, set, corpus), outcomes, report.Options{Seed: e.seed})
}

// meta says what is measured, and by which command.
func (e *evaluation) meta(cmd *cobra.Command, set *sets.Set, corpus *lab.Corpus) report.Meta {
	return report.Meta{
		Set: set.Name, Split: set.Split, Encoder: corpus.Encoder, Documents: len(corpus.IDs), Queries: len(set.Queries),
		Command: "nsfl " + strings.Join(commandWords(cmd), " "),
	}
}
