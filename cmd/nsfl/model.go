package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/encoder/hub"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/internal/progress"
)

func modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "List and download models known by name",
		Long: `Model lists and downloads encoders that are known by name.

nsfl runs models for texts itself, with weights of 8 bits. Models for texts and pictures run
with ONNX Runtime's shared library, which is not part of nsfl. Install it with

  npm install --ignore-scripts --prefix ~/.cache/nsfl/onnxruntime onnxruntime-node

or set $NSFL_ONNXRUNTIME to the folder of an unpacked release. Static binaries, which
release packages contain, cannot load it; build nsfl with go install.`,
		Example: `  nsfl model list
  nsfl model pull bge-small-en-v1.5`,
		Args: args(0, 0, "list or pull"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelListCommand(), modelPullCommand())
	return cmd
}

func modelListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the known models",
		Long: `List shows the models that are known by name: the size of the download in MB, the
licence, and the mAP@100 on the demo of plain retrieval and of nsfl's default, as printed by

  nsfl eval peers --set demo --encoder NAME

RUNS says what is missing to run a model with this binary.`,
		Example: `  nsfl model list`,
		Args:    args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			type model struct {
				onnx.Preset
				Dir     string
				Here    bool
				Missing string // to run it with this binary
			}
			var models []model
			_, noRuntime := ort.Find()
			for _, p := range onnx.Presets() {
				dir, err := named.ModelDir(p.Name)
				if err != nil {
					return err
				}
				_, err = os.Stat(dir)
				m := model{Preset: p, Dir: dir, Here: err == nil}
				if p.Pictures && noRuntime != nil {
					m.Missing = noRuntime.Error()
				}
				models = append(models, m)
			}
			return answer(cmd, models, func(w io.Writer) {
				t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
				fmt.Fprintln(t, "MODEL\tDIMENSIONS\tMB\tLICENCE\tDEMO\tPICTURES\tRUNS\tHERE")
				missing := ""
				yes := map[bool]string{true: "yes"}
				for _, m := range models {
					size, quality, runs := "", "", "yes"
					if m.Megabytes > 0 {
						size, quality = strconv.Itoa(m.Megabytes), fmt.Sprintf("%.3f → %.3f", m.Demo[0], m.Demo[1])
					}
					if m.Missing != "" {
						runs, missing = "needs ONNX Runtime", m.Missing
					}
					fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Dimension, size, m.Licence, quality, yes[m.Pictures], runs, yes[m.Here])
				}
				_ = t.Flush() // where nobody can read there is nobody to tell
				if missing != "" {
					fmt.Fprintf(w, "\nModels that need ONNX Runtime do not run now: %s\n", missing)
				}
			})
		},
	}
	addJSON(cmd.Flags())
	return cmd
}

func modelPullCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pull NAME",
		Short: "Fetch a model from its hub",
		Long: `Pull fetches a model that nsfl model list names into the user's cache, or to
$NSFL_MODELS. It goes on where an interrupted pull stopped, and every file is
checked by its hash before it is used. $HF_ENDPOINT names another hub, $HF_TOKEN
a token for models that need one, and $HTTPS_PROXY a proxy.

nsfl model list says which models need ONNX Runtime.`,
		Example: `  nsfl model pull bge-small-en-v1.5
  nsfl index notes -c notes --encoder bge-small-en-v1.5`,
		Args: args(1, 1, "the name of a model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := onnx.PresetByName(args[0])
			if err != nil {
				return usageError{err}
			}
			dir, err := named.ModelDir(p.Name)
			if err != nil {
				return err
			}
			var bar *progress.Bar
			r, err := hub.Pull(cmd.Context(), "", hub.Model{Repository: p.Repository, Files: p.Files, Optional: p.Optional}, dir, func(e hub.Event) {
				if bar == nil {
					bar = newBar(cmd, "pulling "+p.Name, e.Total, progress.Bytes)
				}
				switch e.State {
				case hub.Retrying:
					bar.Print(fmt.Sprintf("%s; trying again in %s", e.Err, e.Pause.Round(1e8)))
				case hub.UpToDate, hub.Resuming:
					bar.Skip(e.Bytes) // what is here counts, but not in the rate
				default:
					bar.Set(e.Done)
				}
			})
			if bar != nil {
				bar.Done("")
			}
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%s is in %s (%s); use it with --encoder %s", p.Name, dir, strings.Join(r.Fetched, ", "), p.Name)
			if len(r.Fetched) == 0 {
				text = fmt.Sprintf("%s is up to date in %s", p.Name, dir)
			}
			return say(cmd, map[string]any{"model": p.Name, "dir": dir, "commit": r.Manifest.Commit, "fetched": r.Fetched, "bytes": r.Bytes}, "%s", text)
		},
	}
	addJSON(cmd.Flags())
	return cmd
}
