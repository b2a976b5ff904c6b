package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/workspace"
	"github.com/nsfl-go/nsfl/profile"
)

func infoCommand() *cobra.Command {
	var from collectionFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Describe a collection",
		Example: `  nsfl info -c notes
  nsfl info -c notes --json
  nsfl info --store postgres://db/notes?collection=notes`,
		Args: args(0, 0, "no words beside the flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, place, err := from.openStore(cmd.Context(), true)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // it is only read
			d, err := describe(cmd.Context(), c, place)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), d)
			}
			d.print(cmd.OutOrStdout())
			return nil
		},
	}
	from.addPlace(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// description is what nsfl info tells of a collection.
type description struct {
	Collection string `json:"collection"`
	Engine     string `json:"engine"`
	Documents  int    `json:"documents"`
	Files      int    `json:"files"` // that they came from
	Vectors    int    `json:"vectors"`
	Dimension  int    `json:"dimension"`
	Encoder    string `json:"encoder"` // the word
	Identity   string `json:"encoder_identity"`
	Profile    string `json:"profile"` // that it is searched by; empty where there is a problem
	Problem    string `json:"profile_problem,omitempty"`
	*onDisk
}

// onDisk is what is known of a collection in a directory besides.
type onDisk struct {
	Deleted    int    `json:"deleted"`
	Codes      string `json:"codes"`
	Bytes      int64  `json:"bytes"`
	CodeBytes  int64  `json:"code_bytes"`
	Generation int64  `json:"generation"`
}

func describe(ctx context.Context, c engine.Collection, place string) (*description, error) {
	size, err := c.Size(ctx)
	if err != nil {
		return nil, err
	}
	notes, err := c.Notes(ctx, "")
	if err != nil {
		return nil, err
	}
	d := &description{
		Collection: stores.Shown(place), Engine: stores.Engine(place), Documents: size.Documents, Vectors: size.Vectors, Dimension: size.Dimension,
		Encoder: notes[workspace.EncoderNote], Identity: c.Encoder(),
	}
	if p, err := profileOf(notes, c.Encoder()); err != nil {
		d.Problem = err.Error()
	} else {
		d.Profile = p.Name
	}
	for name := range notes {
		if strings.HasPrefix(name, fileNote) {
			d.Files++
		}
	}
	e, ok := c.(*index.Collection)
	if !ok {
		return d, nil
	}
	s, err := e.Stats(ctx)
	d.onDisk = &onDisk{s.Deleted, s.Codes.String(), s.Bytes, s.CodeBytes, s.Generation}
	return d, err
}

// profileOf is the profile that is kept with a collection or ships for its encoder,
// which need not be at hand.
func profileOf(notes map[string]string, identity string) (*profile.Profile, error) {
	if text, ok := notes[nsfl.ProfileNote]; ok {
		return profile.Read(strings.NewReader(text))
	}
	var id encoder.Identity
	if json.Unmarshal([]byte(identity), &id) != nil {
		id.Name = identity // of a store of another maker
	}
	return profile.For(id.Name), nil
}

func (d *description) print(w io.Writer) {
	fmt.Fprintf(w, "collection  %s\n", d.Collection)
	fmt.Fprintf(w, "engine      %s\n", d.Engine)
	fmt.Fprintf(w, "documents   %d", d.Documents)
	if d.Files > 0 {
		fmt.Fprintf(w, ", from %d files", d.Files)
	}
	fmt.Fprintf(w, "\nvectors     %d of %d dimensions", d.Vectors, d.Dimension)
	if d.onDisk != nil {
		fmt.Fprintf(w, ", %.1f MB, of which searches read %.1f MB (%s)", float64(d.Bytes)/1e6, float64(d.CodeBytes)/1e6, d.Codes)
	}
	fmt.Fprintln(w)
	if d.Encoder != "" {
		fmt.Fprintf(w, "encoder     %s\n", d.Encoder)
	}
	fmt.Fprintf(w, "identity    %s\n", d.Identity)
	if d.Problem != "" {
		fmt.Fprintf(w, "profile     cannot be used (%s); learn it again with nsfl tune\n", d.Problem)
	} else {
		fmt.Fprintf(w, "profile     %s\n", d.Profile)
	}
	if d.onDisk != nil && d.Deleted > 0 {
		fmt.Fprintf(w, "deleted     %d documents still take space; nsfl compact -c %s frees it\n", d.Deleted, d.Collection)
	}
}
