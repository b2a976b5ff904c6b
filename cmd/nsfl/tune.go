package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/eval/lab"
	"github.com/nsfl-go/nsfl/eval/tune"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/profile"
)

// tuning holds the flags of nsfl tune.
type tuning struct {
	setFlags
	encoder               string
	from                  *profile.Profile
	passages, name, write string
	queries, folds        int
	force, calibrate      bool
	collection            collectionFlags
}

func tuneCommand() *cobra.Command {
	var t tuning
	cmd := &cobra.Command{
		Use:   "tune",
		Short: "Learn a profile for search from queries with known answers",
		Long: `Tune learns a profile: how query vectors are refined, how much words count, and the
probability of a score. It measures the gain by cross-validation, and keeps the
defaults if the gain could be chance. Sets are those of nsfl eval; several different sets
also show how well the profile works on collections that it was not learned from.

The profile is written to a file (-o), for --profile of other commands, or into a collection
(-c), which then uses it.`,
		Example: `  nsfl tune --set demo
  nsfl tune --set data/coco --set data/films -o profile.json
  nsfl tune --set data/mine --encoder all-MiniLM-L6-v2 -c notes
  nsfl tune --set demo --from paper --force -o learned.json`,
		Args: args(0, 0, "flags only; nsfl help tune lists them"),
		RunE: func(cmd *cobra.Command, _ []string) error { return t.run(cmd) },
	}
	f := cmd.Flags()
	t.add(f)
	f.StringVar(&t.encoder, "encoder", "", encoderHelp+"; default with -c: the collection's own")
	addProfile(f, &t.from, "from", "the `PROFILE` to start from and to beat: paper, builtin or a file; default: the encoder's own")
	f.StringVar(&t.passages, "passages", "stored", "how documents with passages are compared; collections use stored")
	f.IntVar(&t.queries, "queries", 300, "number of queries from each set, spread over its templates; 0: all")
	f.IntVar(&t.folds, "folds", 5, "number of folds of the cross-validation")
	f.StringVar(&t.name, "name", "", "the name of the profile; default: the names of the sets and a checksum")
	f.StringVarP(&t.write, "output", "o", "", "write the profile to this `FILE`, or - for standard output")
	f.BoolVar(&t.calibrate, "calibrate", false, "keep the defaults and learn only the calibration of probabilities")
	f.BoolVar(&t.force, "force", false, "keep what was learned even if the evidence does not support it")
	t.collection.addPlace(f)
	return cmd
}

// run learns a profile and delivers it.
func (t *tuning) run(cmd *cobra.Command) error {
	config, err := t.config()
	if err != nil {
		return usageError{err}
	}
	var store engine.Collection
	if t.collection.given() {
		if store, err = t.collection.openStore(cmd.Context(), false); err != nil {
			return err
		}
		defer store.Close() //nolint:errcheck // notes are on the disk when they are set
	}
	e, closing, err := t.openEncoder(cmd.Context(), store)
	if err != nil {
		return err
	}
	defer closing()
	if config.Default == nil {
		config.Default = profile.For(e.Identity().Name, e.Identity().Revision)
	}
	var data []tune.Data
	for _, name := range t.sets {
		set, closeSet, err := t.open(cmd, name)
		if err != nil {
			return err
		}
		defer closeSet()
		d := tune.Data{Set: set, Of: len(set.Queries)}
		set.Queries = tune.Spread(set.Queries, t.queries)
		if d.Corpus, err = encoded(cmd, e, set, []lab.Passages{config.Passages}); err != nil {
			return err
		}
		data = append(data, d)
	}
	bar := newBar(cmd, "ranking", 0, "rankings")
	config.Progress = func(n int) { bar.Set(int64(n)) }
	r, err := tune.Run(cmd.Context(), data, config)
	bar.Done("")
	if err != nil {
		return err
	}
	p := r.Profile
	p.Encoder = e.Identity().Name
	p.Name = cmp.Or(t.name, checksum(r))
	if err := p.Check(); err != nil {
		return fmt.Errorf("the profile that was learned cannot be used: %w", err)
	}
	return t.deliver(cmd, r, store)
}

// config returns the configuration that follows from the flags.
func (t *tuning) config() (c tune.Config, err error) {
	if err := t.check(); err != nil {
		return c, err
	}
	if t.queries < 0 {
		return c, fmt.Errorf("%d queries of a set cannot be taken; 0 takes all", t.queries)
	}
	if t.folds < 2 {
		return c, fmt.Errorf("%d folds cannot be made; it takes two or more", t.folds)
	}
	c = tune.Config{Folds: t.folds, Seed: t.seed, Force: t.force, Calibrate: t.calibrate, Default: t.from}
	c.Passages, err = lab.ParsePassages(t.passages)
	return c, err
}

// openEncoder opens the encoder; with -c it must be the collection's. Vectors are cached as by
// nsfl eval.
func (t *tuning) openEncoder(ctx context.Context, store engine.Collection) (encoder.Encoder, func(), error) {
	word := t.encoder
	if store != nil {
		var err error
		if word, err = workspace.Choose(ctx, "", store, word); err != nil {
			return nil, nil, err
		}
	}
	chosen, err := named.Open(ctx, word)
	if err != nil {
		return nil, nil, err
	}
	if store != nil && store.Encoder() != nsfl.EncoderName(chosen.Identity()) {
		_ = chosen.Close()
		return nil, nil, fmt.Errorf("the collection was not made with the encoder %s; what is learned with it would not suit. Leave --encoder out to take the collection's own", chosen.Identity().Name)
	}
	e, closing := cached(chosen)
	return e, closing, nil
}

// checksum returns a checksum of the sets and of everything that a profile chooses.
func checksum(r *tune.Result) string {
	var names []string
	for _, d := range r.Data {
		names = append(names, d.Set.Name)
	}
	h := fnv.New32a()
	fmt.Fprint(h, r.Profile)
	joined := strings.Join(names, "+")
	if len(joined) > 150 {
		joined = fmt.Sprintf("%d-sets", len(names))
	}
	return fmt.Sprintf("%s-%08x", joined, h.Sum32())
}

// deliver prints the findings and writes the profile.
func (t *tuning) deliver(cmd *cobra.Command, r *tune.Result, store engine.Collection) error {
	text := r.Profile.String()
	out := cmd.OutOrStdout()
	if t.write == "-" {
		fmt.Fprint(out, text)
	} else if err := r.Text(out); err != nil {
		return err
	}
	if t.write != "" && t.write != "-" {
		if err := os.WriteFile(t.write, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Fprintf(out, "Written to %s as %s; search with --profile %s.\n", t.write, r.Profile.Name, t.write)
	}
	if store != nil {
		if err := store.SetNotes(cmd.Context(), map[string]string{nsfl.ProfileNote: text}); err != nil {
			return fmt.Errorf("storing the profile in the collection: %w", err)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "The collection is searched by %s now.\n", r.Profile.Name)
	}
	return nil
}
