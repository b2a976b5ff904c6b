package retrieve

import (
	"fmt"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/profile"
	"github.com/nsfl-go/nsfl/query"
)

// scanBytes is the most vector data that Auto reads for one query: about thirty milliseconds
// on two cores.
const scanBytes = 1 << 30

// choose returns the mode that Auto selects, and the reason.
//
// Exact misses nothing, so choose takes it whenever scanning all vectors is affordable.
// Otherwise it takes Hybrid, which reads only documents that can be among the best.
func choose(f *query.Formula, size engine.Size, canScan bool, p *profile.Profile) (Mode, string) {
	if query.IsAtom(f.Root) && p.Hubness == 0 && p.Feedback.Documents == 0 && p.Words == 0 {
		return Baseline, "one atom: there is nothing to combine"
	}
	bytes := 4 * size.Vectors * size.Dimension
	switch {
	case !canScan:
		return Hybrid, "the store cannot compare all documents at once, so those are read that can be among the best"
	case bytes <= scanBytes:
		return Exact, fmt.Sprintf("all %d documents are ranked: reading their vectors is cheap", size.Documents)
	}
	return Hybrid, fmt.Sprintf("reading all vectors (%.1f GB) would be slow, so those documents are read that can be among the best", float64(bytes)/1e9)
}
