package enginetest

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
)

// Attached tells the suite how to test an attached store.
type Attached struct {
	// Fill stores documents as another program would, in a place that is removed with t, and
	// returns a function that attaches to it. No document has passages; titles, texts and
	// metadata may be missing. Fill rounds docs if the place does.
	Fill func(t testing.TB, docs []engine.Document) (attach func(engine.Options) (Store, error))
	// Overlap is the same as in Maker.
	Overlap float64
	// Unsearched says that the engine finds nothing by words.
	Unsearched bool
	// Slow is the same as in Maker.
	Slow bool
	// ID is the id of the i-th document, where not every text can be one.
	ID func(i int) string
	// Mixed says that a field can be of another type in each document, as in JSON.
	Mixed bool
	// Flat says that fields are neither lists nor objects.
	Flat bool
	// Unit says that vectors are of length 1, since the index would not order others by
	// their cosines.
	Unit bool
}

// attached is Attached with the function that attaches to the last place that was filled.
type attached struct {
	Attached
	again func(engine.Options) (Store, error)
}

// odd are ids as others have them.
var odd = []string{"https://example.org/a?b=c&d=%20#e", "../a b", "日本語 😀", "'; --", `"\`, "null", "0", "%_", "a\tb\n", "{}", "A", "á"}

// change makes of a document of ours one of theirs: with an odd id or one that their store
// can have, without passages, with fields that are of one type each, some parts missing,
// and a vector of any length.
func (f *attached) change(i int, d *engine.Document) {
	d.Passages = nil
	if f.ID != nil {
		d.ID = f.ID(i)
	} else if i%3 == 1 {
		d.ID = odd[i/3%len(odd)] + strconv.Itoa(i)
	}
	if i%9 == 4 {
		d.Title = ""
	}
	if i%10 == 5 {
		d.Text = ""
	}
	if !f.Unit {
		for j := range d.Vector {
			d.Vector[j] *= float32(1+i%5) / 2
		}
	}
	fields := map[string]any{"n": i, "even": i%2 == 0, "name": names[i%len(names)]}
	if i%4 > 0 {
		fields["score"] = json.Number(strconv.FormatFloat(float64(i)/8-3.0625, 'f', -1, 64))
	}
	if !f.Flat && i%5 > 0 {
		fields["tags"] = []string{names[i%len(names)], strconv.Itoa(i % 5)}
		fields["place"] = map[string]any{"city": names[i%3], "floor": i % 7}
	}
	d.Metadata = nil
	if i%13 != 8 {
		d.Metadata, _ = json.Marshal(fields) // which are texts and numbers
	}
}

// names are in another order byte by byte than in a dictionary.
var names = []string{"Anna", "anna", "Zoë", "Émile", "", "10", "9", "it's", "a b"}
