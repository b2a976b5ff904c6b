package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/nsfl-go/nsfl/eval/public"
	"github.com/nsfl-go/nsfl/internal/progress"
)

// evalFetchCommand brings a public benchmark.
func evalFetchCommand() *cobra.Command {
	var dir, from string
	var yes bool
	cmd := &cobra.Command{
		Use:   "fetch [NAME]",
		Short: "Fetch a public benchmark: LIMIT, LIMIT+, QUEST, NevIR, ExcluIR, NegConstraint",
		Long: `Fetch brings a benchmark from the address where its authors publish it, and says its
licence and its size before anything is downloaded. Without a name it lists those there
are. They go into the user's cache, or to $NSFL_SETS, and are measured by their names.

Files come whole or not at all, and nsfl-set.json beside them has the SHA-256 of each;
after an interruption the same command goes on with the file at which it stopped. --from
names another address, below which the files have their names, or a folder that has them.
$HTTPS_PROXY names a proxy.`,
		Example: `  nsfl eval fetch
  nsfl eval fetch limit-small
  nsfl eval --set limit-small
  nsfl eval fetch quest --dir data/quest --yes
  nsfl eval fetch excluir --from ~/Downloads/ExcluIR`,
		Args: args(0, 1, "the name of a benchmark, or nothing to list them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listBenchmarks(cmd)
			}
			b, err := public.ByName(args[0])
			if err != nil {
				return usageError{err}
			}
			word := dir // by which it is measured
			if dir == "" {
				word = b.Name
				if dir, err = public.Dir(b.Name); err != nil {
					return err
				}
			}
			job, err := public.Prepare(cmd.Context(), b, dir, from)
			if err != nil {
				return err
			}
			if job.Present == nil {
				if err := announce(cmd, job, yes); err != nil {
					return err
				}
			}
			m, err := fetch(cmd, job)
			if err != nil {
				return err
			}
			return fetched(cmd, job, m, word)
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", "", "where to put it; a folder of its name in the user's cache by default")
	f.StringVar(&from, "from", "", "an address or a folder with the files, instead of the authors' address")
	f.BoolVar(&yes, "yes", false, "download without asking")
	addJSON(f)
	addQuiet(f)
	return cmd
}

// listBenchmarks says which benchmarks there are.
func listBenchmarks(cmd *cobra.Command) error {
	return answer(cmd, public.All(), func(w io.Writer) {
		t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
		for _, b := range public.All() {
			fmt.Fprintf(t, "%s\t%s\n\t%s\n\tlicence: %s\n", b.Name, b.About, b.Page, b.Licence)
		}
		_ = t.Flush() // where nobody can read there is nobody to tell
	})
}

// announce says what is to be fetched, and asks where something is downloaded.
func announce(cmd *cobra.Command, job *public.Job, yes bool) error {
	b, w := job.Benchmark, cmd.ErrOrStderr()
	size := public.Size(job.Bytes)
	if job.Unknown > 0 {
		size += fmt.Sprintf(", and %d files of which the server tells no size", job.Unknown)
	}
	fmt.Fprintf(w, "%s\n  page     %s\n  licence  %s\n", b.About, b.Page, b.Licence)
	for _, address := range job.Downloads {
		fmt.Fprintf(w, "  from     %s\n", address)
	}
	fmt.Fprintf(w, "  size     %s\n  to       %s\n", size, job.Dir)
	if yes || len(job.Downloads) == 0 {
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usageError{errors.New("nothing was downloaded: agree to the licence and the size with --yes, since there is no terminal to ask at")}
	}
	fmt.Fprint(w, "Download it? [y/N] ")
	agreed, err := asked(cmd.Context(), in)
	if err == nil && !agreed {
		err = errors.New("nothing was downloaded")
	}
	return err
}

// asked reads an answer. What reads it cannot be interrupted, and is left behind when the
// context is done, which ends the process.
func asked(ctx context.Context, in io.Reader) (bool, error) {
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n') // no answer is a no
		said <- line
	}()
	select {
	case line := <-said:
		line = strings.ToLower(strings.TrimSpace(line))
		return line == "y" || line == "yes", nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// fetch runs a job, and shows how far it is.
func fetch(cmd *cobra.Command, job *public.Job) (*public.Manifest, error) {
	total := job.Bytes
	if job.Unknown > 0 {
		total = 0
	}
	bar := newBar(cmd, "fetching "+job.Benchmark.Name, total, progress.Bytes)
	defer bar.Done("")
	return job.Run(cmd.Context(), bar.Set)
}

// fetched says what is there now.
func fetched(cmd *cobra.Command, job *public.Job, m *public.Manifest, word string) error {
	type result struct {
		Dir     string `json:"dir"`
		Already bool   `json:"already_there"`
		*public.Manifest
	}
	return answer(cmd, result{job.Dir, job.Present != nil, m}, func(w io.Writer) {
		for _, f := range m.Files {
			fmt.Fprintf(w, "%s  %s\n", f.SHA256, f.Name)
		}
		already := ""
		if job.Present != nil {
			already = "already "
		}
		fmt.Fprintf(w, "%s is %sin %s: %d documents, %d queries of split %s; measure it with nsfl eval --set %s\n",
			m.Benchmark, already, job.Dir, m.Documents, m.Queries, m.Split, word)
	})
}

// placeOf finds the folder of a set that a word names, a folder or a fetched benchmark,
// and its split: what was fetched knows its own, unless the user names one.
func (s *setFlags) placeOf(cmd *cobra.Command, word string) (dir, split string, err error) {
	dir, split = word, s.split
	_, missing := os.Stat(word)
	if b, err := public.ByName(word); err == nil && errors.Is(missing, fs.ErrNotExist) {
		if dir, err = public.Dir(b.Name); err != nil {
			return "", "", err
		}
	}
	m, err := public.ReadManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && dir != word:
		return "", "", fmt.Errorf("the benchmark %s is not here; nsfl eval fetch %s brings it", word, word)
	case errors.Is(err, fs.ErrNotExist):
		return dir, split, nil
	case err != nil:
		return "", "", err
	case m.Queries == 0:
		return "", "", fmt.Errorf("the benchmark in %s is not whole; nsfl eval fetch %s goes on with it", dir, m.Benchmark)
	}
	if !cmd.Flags().Changed("split") {
		split = m.Split
	}
	return dir, split, nil
}
