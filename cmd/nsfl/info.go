package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/encoder/builtin"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/index"
	"github.com/nsfl-go/nsfl/internal/fieldstats"
	"github.com/nsfl-go/nsfl/internal/stores"
	"github.com/nsfl-go/nsfl/internal/suggest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

func infoCommand() *cobra.Command {
	var from collectionFlags
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Describe a collection",
		Example: `  nsfl info -c notes
  nsfl info -c notes --json
  nsfl info -c postgres://db/notes?collection=notes`,
		Args: args(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			place, err := from.place()
			if err != nil {
				return err
			}
			c, err := workspace.OpenStore(cmd.Context(), place, true)
			if err != nil {
				return err
			}
			defer c.Close() //nolint:errcheck // it is only read
			d, err := describe(cmd.Context(), c, place)
			if err != nil {
				return err
			}
			if nsfl.Anonymous(c) {
				if err := d.agree(cmd, &from); err != nil {
					return err
				}
			}
			return answer(cmd, d, d.print)
		},
	}
	from.addPlace(cmd.Flags())
	cmd.Flags().StringVar(&from.encoder, "encoder", "", "what made the vectors of a store that does not say: "+encoderHelp)
	addJSON(cmd.Flags())
	return cmd
}

// agree reports how well the encoder agrees with the vectors of an attached store. An encoder
// that is missing or encodes nothing is no error.
func (d *description) agree(cmd *cobra.Command, from *collectionFlags) error {
	place, err := from.place()
	if err != nil {
		return err
	}
	c, err := workspace.Open(cmd.Context(), place, workspace.Options{Encoder: from.encoder, ReadOnly: true})
	if err != nil {
		d.Doubt = err.Error()
		return nil
	}
	defer c.Close() //nolint:errcheck // it was only read
	d.Identity, d.Profile, d.Agreement = c.Encoder().Identity().String(), c.Searcher().Profile.Name, c.Agreement
	if c.Agreement != nil {
		d.Doubt = c.Agreement.Doubt()
	}
	return nil
}

// description describes a collection.
type description struct {
	Collection string `json:"collection"`
	Engine     string `json:"engine"`
	Documents  int    `json:"documents"`
	Files      int    `json:"files"` // that they came from
	Vectors    int    `json:"vectors"`
	Dimension  int    `json:"dimension"`
	Encoder    string `json:"encoder"` // the word
	Identity   string `json:"encoder_identity"`
	Newer      string `json:"newer_revision,omitempty"` // of the built-in encoder
	Profile    string `json:"profile"`                  // that it is searched by; empty where there is a problem
	Problem    string `json:"profile_problem,omitempty"`
	// Agreement and Doubt are set if the encoder of the vectors is not recorded.
	Agreement *workspace.Agreement `json:"agreement,omitempty"`
	Doubt     string               `json:"doubt,omitempty"`
	Advice    string               `json:"advice,omitempty"`  // a statement that makes a missing index
	Example   string               `json:"example,omitempty"` // a query that it has results for
	Fields    *engine.Fields       `json:"fields"`            // of the metadata
	*onDisk
}

// onDisk describes the files of an embedded collection.
type onDisk struct {
	Deleted    int   `json:"deleted"`
	Bytes      int64 `json:"bytes"`
	CodeBytes  int64 `json:"code_bytes"`
	Generation int64 `json:"generation"`
}

// describe describes a collection without opening its encoder.
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
		Encoder: notes[workspace.EncoderNote], Identity: identityText(c.Encoder()),
	}
	if id := nsfl.IdentityOf(c.Encoder()); id.Name == builtin.Name && id.Revision != builtin.Newest() {
		d.Newer = builtin.Newest()
	}
	if p, err := nsfl.ProfileOf(notes, c.Encoder()); err != nil {
		d.Problem = err.Error()
	} else {
		d.Profile = p.Name
	}
	for name := range notes {
		if strings.HasPrefix(name, workspace.FileNote) {
			d.Files++
		}
	}
	if examples, err := suggest.Of(ctx, c); err == nil && len(examples) > 0 { // what cannot be read is described all the same
		d.Example = examples[0].Query
	}
	if d.Fields, err = fieldstats.FieldsOf(ctx, c); err != nil {
		return nil, err
	}
	if a, ok := c.(interface{ Advice() string }); ok {
		d.Advice = a.Advice()
	}
	e, ok := c.(*index.Collection)
	if !ok {
		return d, nil
	}
	s, err := e.Stats(ctx)
	d.onDisk = &onDisk{s.Deleted, s.Bytes, s.CodeBytes, s.Generation}
	return d, err
}

// identityText formats the encoder that a store has recorded.
func identityText(stored string) string {
	if id := nsfl.IdentityOf(stored); id.Dimension > 0 {
		return id.String()
	}
	return stored
}

// print prints a line for each known part.
func (d *description) print(w io.Writer) {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s "+format+"\n", append([]any{label}, args...)...)
	}
	line("collection", "%s", d.Collection)
	line("engine", "%s", d.Engine)
	files, disk, profile := "", "", d.Profile
	if d.Files > 0 {
		files = fmt.Sprintf(", from %d files", d.Files)
	}
	if d.onDisk != nil {
		disk = fmt.Sprintf(", %.1f MB, of which searches read %.1f MB", float64(d.Bytes)/1e6, float64(d.CodeBytes)/1e6)
	}
	if d.Problem != "" {
		profile = fmt.Sprintf("cannot be used (%s); learn it again with nsfl tune", d.Problem)
	}
	line("documents", "%d%s", d.Documents, files)
	line("vectors", "%d of %d dimensions%s", d.Vectors, d.Dimension, disk)
	if d.Encoder != "" {
		line("encoder", "%s", d.Encoder)
	}
	line("identity", "%s", d.Identity)
	if d.Newer != "" {
		line("newer", "revision %s of the encoder exists; nsfl reindex -c %s encodes the collection with it", d.Newer, d.Collection)
	}
	if d.Agreement != nil && d.Agreement.Texts > 0 {
		line("agreement", "%s", d.Agreement)
	}
	if d.Doubt != "" {
		line("doubt", "%s", d.Doubt)
	}
	line("profile", "%s", profile)
	if d.Advice != "" {
		line("advice", "the vectors have no index, which searches need above 50,000 rows: %s", d.Advice)
	}
	label, of := "fields", fmt.Sprintf("of %d documents", d.Fields.Documents)
	if !d.Fields.All {
		of += " looked at"
	}
	for i := range d.Fields.Fields {
		line(label, "%s", described(&d.Fields.Fields[i], of))
		label = ""
	}
	if d.Example != "" {
		line("try", "%s", d.Example)
	}
	if d.onDisk != nil && d.Deleted > 0 {
		line("deleted", "%d documents still take space; nsfl compact -c %s frees it", d.Deleted, d.Collection)
	}
}

// described formats a field: its type, how many documents have it, and its values.
func described(f *engine.Field, of string) string {
	kind := string(f.Kind)
	if f.List {
		kind = "lists of " + kind
	}
	text := fmt.Sprintf("%s: %s, in %d %s", f.Name, kind, f.Documents, of)
	switch {
	case f.Least != "":
		return text + fmt.Sprintf(", %s to %s", f.Least, f.Most)
	case len(f.Values) > 0:
		return text + ", such as " + strings.Join(f.Values, "; ")
	}
	return text
}
