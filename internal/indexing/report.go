package indexing

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/ingest"
)

// Report is what a pass has done.
type Report struct {
	Documents int           `json:"documents"`       // stored
	Passages  int           `json:"passages"`        // of these
	Files     int           `json:"files"`           // read
	Unchanged int           `json:"unchanged"`       // files that were not read
	Same      int           `json:"same"`            // documents that were read, and are stored already
	Moved     int           `json:"moved"`           // files that took over the name of one that is gone
	Gone      int           `json:"gone"`            // files that were forgotten
	Removed   int           `json:"removed"`         // documents that are not in their files any more
	Renamed   int           `json:"renamed"`         // documents whose own id is another's
	Example   string        `json:"renamed_example"` // the id that one of them has
	Cut       int           `json:"cut"`             // documents with a passage longer than the encoder reads
	Skipped   []ingest.Skip `json:"skipped,omitempty"`
	Seconds   float64       `json:"seconds"`

	skips ingest.Summary
}

// skip counts what was not read.
func (r *Report) skip(s ingest.Skip) {
	const shown = 1000 // as JSON; the counts are complete
	r.skips.Add(s)
	if len(r.Skipped) < shown {
		r.Skipped = append(r.Skipped, s)
	}
}

// Forget leaves out what was skipped so far.
func (r *Report) Forget() { r.Skipped, r.skips = nil, ingest.Summary{} }

// Print says what was done with the collection at a place, and what was not read.
func (r *Report) Print(w io.Writer, place string) {
	fmt.Fprintf(w, "%s: %d documents (%d passages) stored from %d files in %.1f s", place, r.Documents, r.Passages, r.Files, r.Seconds)
	for _, part := range []struct {
		n    int
		text string
	}{{r.Unchanged, "files unchanged"}, {r.Same, "documents unchanged"}, {r.Moved, "files moved"}, {r.Gone, "files gone"}, {r.Removed, "documents removed"}} {
		if part.n > 0 {
			fmt.Fprintf(w, "; %d %s", part.n, part.text)
		}
	}
	fmt.Fprintln(w)
	if r.Renamed > 0 {
		fmt.Fprintf(w, "%d documents have the name of their file in their id, since others have theirs; one is %s\n", r.Renamed, r.Example)
	}
	if r.Cut > 0 {
		fmt.Fprintf(w, "%d documents have a passage that is longer than the encoder reads\n", r.Cut)
	}
	fmt.Fprint(w, r.skips.String())
}
