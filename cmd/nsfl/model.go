package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl/encoder/hub"
	"github.com/nsfl-go/nsfl/encoder/named"
	"github.com/nsfl-go/nsfl/encoder/onnx"
	"github.com/nsfl-go/nsfl/internal/progress"
)

func modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "List and fetch encoders that are known by name",
		Args:  args(0, 0, "list or pull"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelListCommand(), modelPullCommand())
	return cmd
}

func modelListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the models that are known by name",
		Example: `  nsfl model list`,
		Args:    args(0, 0, "no words beside the flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			type model struct {
				onnx.Preset
				Dir  string
				Here bool
			}
			var models []model
			for _, p := range onnx.Presets() {
				dir, err := named.ModelDir(p.Name)
				if err != nil {
					return err
				}
				_, err = os.Stat(dir)
				models = append(models, model{p, dir, err == nil})
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), models)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "MODEL\tDIMENSIONS\tPOOLING\tPICTURES\tLICENCE\tHERE")
			for _, m := range models {
				here, pictures := "", ""
				switch {
				case m.Here:
					here = "yes"
				case m.Repository == "":
					here = "to be exported: " + m.Export
				}
				if m.Pictures {
					pictures = "yes"
				}
				fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", m.Name, m.Dimension, m.Pooling, pictures, m.Licence, here)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func modelPullCommand() *cobra.Command {
	var c hub.Config
	var revision, dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "pull NAME",
		Short: "Fetch a model from its hub",
		Long: `Pull fetches a model that nsfl model list names into the user's cache, or to
$NSFL_MODELS. It goes on where an interrupted pull stopped, and every file is
checked by its hash before it is used. $HF_ENDPOINT names another hub, $HF_TOKEN
a token for models that need one, and $HTTPS_PROXY a proxy.

Models run with ONNX Runtime's shared library; npm install onnxruntime-node is one
way to get it, and $NSFL_ONNXRUNTIME says where it is.`,
		Example: `  nsfl model pull all-MiniLM-L6-v2
  nsfl index notes -c notes --encoder all-MiniLM-L6-v2`,
		Args: args(1, 1, "the name of a model"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := onnx.PresetByName(args[0])
			if err != nil {
				return usageError{err}
			}
			if p.Repository == "" {
				return fmt.Errorf("no hub has %s ready to use; to make it: %s", p.Name, p.Export)
			}
			if dir == "" {
				if dir, err = named.ModelDir(p.Name); err != nil {
					return err
				}
			}
			var bar *progress.Bar
			r, err := hub.Pull(cmd.Context(), c, hub.Model{Repository: p.Repository, Revision: revision, Files: p.Files, Optional: p.Optional}, dir, func(e hub.Event) {
				if bar == nil {
					bar = newBar(cmd, "pulling "+p.Name, e.Total, progress.Bytes, asJSON)
				}
				switch e.State {
				case hub.Retrying:
					bar.Print(fmt.Sprintf("%s; trying again in %s", e.Err, e.Pause.Round(1e8)))
				case hub.Waiting:
					bar.Print("waiting for another pull into the same folder")
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
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"model": p.Name, "dir": dir, "commit": r.Manifest.Commit, "fetched": r.Fetched, "bytes": r.Bytes})
			}
			if len(r.Fetched) == 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "%s is up to date in %s\n", p.Name, dir)
			} else {
				fmt.Fprintf(cmd.OutOrStdout(), "%s is in %s (%s); use it with --encoder %s\n", p.Name, dir, strings.Join(r.Fetched, ", "), p.Name)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.BaseURL, "hub", "", "the hub's address; $HF_ENDPOINT, or Hugging Face, by default")
	f.StringVar(&revision, "revision", "", "a branch, a tag or a commit; main by default")
	f.StringVar(&dir, "dir", "", "where to put the model; the user's cache by default")
	f.BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}
